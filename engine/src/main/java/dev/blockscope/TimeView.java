package dev.blockscope;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Date;
import org.graalvm.polyglot.proxy.ProxyDate;
import org.graalvm.polyglot.proxy.ProxyInstant;
import org.graalvm.polyglot.proxy.ProxyTime;

/** Points in time as the guest's own, which do not change. */
sealed interface TimeView extends FixedView {
    /** A point in time, read on the clock of a zone. */
    record OfInstant(Object host, ZonedDateTime time) implements TimeView, ProxyInstant {
        @Override
        public Instant asInstant() {
            return time.toInstant();
        }

        @Override
        public LocalDate asDate() {
            return time.toLocalDate();
        }

        @Override
        public LocalTime asTime() {
            return time.toLocalTime();
        }

        @Override
        public ZoneId asTimeZone() {
            return time.getZone();
        }

        @Override
        public String toString() {
            return HostView.nameOf(host);
        }
    }

    /** A point in time that the host may move. */
    @SuppressWarnings("JavaUtilDate") // hosts still have them
    record OfTimestamp(Date host) implements TimeView, ProxyInstant {
        @Override
        public Instant asInstant() {
            return Instant.ofEpochMilli(host.getTime());
        }

        @Override
        public String toString() {
            return HostView.nameOf(host);
        }
    }

    /** A day on the calendar. */
    record OfDate(Object host, LocalDate asDate) implements TimeView, ProxyDate {
        @Override
        public String toString() {
            return HostView.nameOf(host);
        }
    }

    /** A time on the clock. */
    record OfTime(Object host, LocalTime asTime) implements TimeView, ProxyTime {
        @Override
        public String toString() {
            return HostView.nameOf(host);
        }
    }

    /** A day and a time, in no zone. */
    record OfDateTime(Object host, LocalDate asDate, LocalTime asTime)
            implements TimeView, ProxyDate, ProxyTime {
        @Override
        public String toString() {
            return HostView.nameOf(host);
        }
    }
}
