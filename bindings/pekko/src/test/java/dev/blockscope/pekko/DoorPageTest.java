package dev.blockscope.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blockscope.wire.DispatchException;
import dev.blockscope.wire.DispatchException.Kind;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of the page "Elsewhere" about the door's HTTP interface say what the door does. */
final class DoorPageTest {
    private static final Path PAGE = Path.of("../../src/site/elsewhere.md");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final byte[] BYTES = {1};

    /** An event of each kind, of which all that it has is set. */
    private static List<DoorEvent> events() {
        DispatchException.Attempt attempt = new DispatchException.Attempt("first", "no beat");
        return Stream.concat(
                        Stream.of(
                                DoorEvent.taken("1"),
                                DoorEvent.started("first", 1),
                                DoorEvent.said(1, BYTES),
                                DoorEvent.lost("first", 1, "no beat"),
                                DoorEvent.alive(),
                                DoorEvent.ended(1, BYTES)),
                        Arrays.stream(Kind.values())
                                .map(kind -> new DispatchException(kind, "no", List.of(attempt)))
                                .map(DoorEvent::failed))
                .toList();
    }

    /** Returns the rows of the table whose head begins with a word, each as its cells. */
    private static List<List<String>> table(String head) throws IOException {
        List<String> lines =
                Files.readString(PAGE)
                        .lines()
                        .dropWhile(line -> !line.startsWith("| " + head + " |"))
                        .skip(2)
                        .takeWhile(line -> line.startsWith("|"))
                        .toList();
        assertThat(lines).isNotEmpty();
        return lines.stream()
                .map(line -> Arrays.stream(line.split("\\|")).skip(1).map(String::strip).toList())
                .toList();
    }

    private static List<String> codesIn(String cell) {
        return CODE.matcher(cell).results().map((MatchResult code) -> code.group(1)).toList();
    }

    @Test
    void theRequestsAreThoseOfTheDoor() throws Exception {
        assertThat(table("request"))
                .extracting(List::getFirst)
                .containsExactly(
                        "`POST %s?model=NAME&once=true`".formatted(Door.JOBS),
                        "`DELETE %s/ID`".formatted(Door.JOBS),
                        "`GET %s`".formatted(Door.MODELS));
    }

    @Test
    void eachKindOfFailureHasItsStatus() throws Exception {
        Map<String, String> statuses = new LinkedHashMap<>();
        for (List<String> row : table("status")) {
            for (String code : codesIn(row.get(1))) {
                statuses.put(code, row.getFirst());
            }
        }
        for (Kind kind : Kind.values()) {
            assertThat(statuses).containsEntry(kind.name(), String.valueOf(Door.status(kind)));
        }
    }

    @Test
    void anEventHasTheKeysThatAreListedAndFillsThoseThatSayIt() throws Exception {
        Map<String, List<String>> listed = new LinkedHashMap<>();
        for (List<String> row : table("key")) {
            listed.put(codesIn(row.getFirst()).getFirst(), List.of(row.get(2).split(", ")));
        }
        Map<String, List<String>> filled = new LinkedHashMap<>();
        for (RecordComponent key : DoorEvent.class.getRecordComponents()) {
            filled.put(key.getName(), whereFilled(key));
        }
        assertThat(listed).isEqualTo(filled);
    }

    private static List<String> whereFilled(RecordComponent key)
            throws ReflectiveOperationException {
        List<String> where = new ArrayList<>();
        for (DoorEvent event : events()) {
            Object value = key.getAccessor().invoke(event);
            boolean isFilled =
                    switch (value) {
                        case String text -> !text.isEmpty();
                        case Integer number -> number != 0;
                        case byte[] bytes -> bytes.length > 0;
                        case List<?> list -> !list.isEmpty();
                        default -> throw new AssertionError(value);
                    };
            String name = isFailure(event) ? "failures" : "`%s`".formatted(event.event());
            if (isFilled && !where.contains(name)) {
                where.add(name);
            }
        }
        return where.size() == 7 ? List.of("all") : where;
    }

    private static boolean isFailure(DoorEvent event) {
        return Arrays.stream(Kind.values()).anyMatch(kind -> kind.name().equals(event.event()));
    }

    @Test
    void theEventsAreThoseOfTheDoorAndEndWhereItIsSaid() throws Exception {
        Map<String, String> listed = new LinkedHashMap<>();
        for (List<String> row : table("event")) {
            codesIn(row.getFirst()).forEach(name -> listed.put(name, row.get(2)));
        }
        Map<String, String> told = new LinkedHashMap<>();
        events().forEach(event -> told.put(event.event(), event.last() ? "yes" : "no"));
        assertThat(listed).isEqualTo(told);
    }
}
