package dev.blockscope.pekko;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A piece of a payload, small enough for one message: what is larger than a frame of the transport
 * would be lost without a word.
 *
 * @param index its position, from 0
 * @param count how many there are
 * @param bytes at most {@link #LARGEST}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Parcel(int index, int count, byte[] bytes) {
    /** In bytes. */
    static final int LARGEST = 1 << 20;

    /** Cuts a payload into parcels, at least one. */
    static List<Parcel> cut(byte[] payload) {
        int count = Math.max(1, Math.ceilDiv(payload.length, LARGEST));
        List<Parcel> parcels = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int from = i * LARGEST;
            int to = Math.min(payload.length, from + LARGEST);
            parcels.add(new Parcel(i, count, Arrays.copyOfRange(payload, from, to)));
        }
        return parcels;
    }

    /** Whether it is as large as all but the last one are; more of them than that none sends. */
    private boolean isWhole() {
        return bytes.length == LARGEST || index == count - 1;
    }

    /** Puts parcels together that come in order. */
    static final class Assembly {
        private final List<byte[]> pieces = new ArrayList<>();
        private final long most;
        private final byte[] instead;
        private long size;

        /**
         * Puts together what comes from a node that need not keep to anything.
         *
         * @param most how many bytes are kept of a payload
         * @param instead what a larger payload is taken for
         */
        Assembly(int most, byte[] instead) {
            this.most = most;
            this.instead = instead;
        }

        /**
         * Takes a parcel. Returns the payload if it was the last one, and what stands for one as
         * soon as it is too large; the rest is then passed over.
         */
        byte @Nullable [] add(Parcel parcel) {
            if (!parcel.isWhole()) {
                clear();
                return null;
            }
            if (parcel.index() != pieces.size()) {
                // The first of another payload, or one after a loss: then nothing comes of it.
                clear();
                if (parcel.index() != 0) {
                    return null;
                }
            }
            pieces.add(parcel.bytes());
            size += parcel.bytes().length;
            if (size > most) {
                clear();
                return instead;
            }
            return pieces.size() == parcel.count() ? joined() : null;
        }

        private byte[] joined() {
            byte[] payload = new byte[(int) size];
            int at = 0;
            for (byte[] piece : pieces) {
                System.arraycopy(piece, 0, payload, at, piece.length);
                at += piece.length;
            }
            clear();
            return payload;
        }

        private void clear() {
            pieces.clear();
            size = 0;
        }
    }
}
