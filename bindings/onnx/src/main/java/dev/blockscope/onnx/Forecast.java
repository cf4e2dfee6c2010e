package dev.blockscope.onnx;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which hook points a block's text lets expect that it waits for, and at which of them it may
 * change something or end the run. A hint and no more: a block can wait through a function of its
 * frame, and what looks like a hook point may be a name of its own. The result of a run does not
 * depend on it.
 *
 * <p>A chain such as {@code model.encoder.layer[3].output} names the points whose paths end like
 * it, without the first part, which is a variable, or with {@linkplain Aliases what it stands for};
 * an index that is computed may be any. So a {@code layer.output} of which no more is known may be
 * the output of every module. A name in {@code model.tensor('…')} is that tensor; of one that is
 * put together, as {@code `/layer.${i}/Add_output_0`}, what is known of it.
 */
final class Forecast {
    /** What stands further behind in a text is not looked at. */
    private static final int LONGEST = 100_000;

    /** Something is assigned to what stands before, by whatever operator. */
    private static final Pattern ASSIGNED =
            Pattern.compile("\\s*(?:[-+*/%&|^]|\\*\\*|<<|>>>?|&&|\\|\\||\\?\\?)?=(?![=>])");

    /** PyTorch's sign of a method that changes the tensor itself. */
    private static final Pattern IN_PLACE = Pattern.compile("\\.\\s*\\w+_\\s*\\(");

    /** An element that is changed, memory that is written through, and the end of a run. */
    private static final Pattern OTHER_CHANGE =
            Pattern.compile(
                    "]%s|]\\s*(?:\\+\\+|--)|(?:\\+\\+|--)\\s*%s[^;\\n\\[]{0,200}+\\[|\\.\\s*data\\b|\\bstop\\s*\\("
                            .formatted(ASSIGNED, Chain.NAME));

    /** The points of a module that its members stand for. */
    private static final Map<String, String> POINTS =
            Map.of(
                    "output", "output",
                    "outputs", "outputs",
                    "input", "inputs",
                    "inputs", "inputs",
                    "skip", "inputs");

    /** A call that takes the name of a tensor, however it is written. */
    private static final Pattern NAMED =
            Pattern.compile("(?<![\\w$])\\$?%s\\W{0,4}?\\(".formatted(RawTensors.CALL));

    /** More calls of a text are not looked at. */
    private static final int MOST_NAMES = 1_000;

    private static final Pattern SKIP = Pattern.compile("\\.\\s*\\$?skip$");

    private final Collection<String> points;
    private final Collection<String> tensors;
    private final Set<String> awaited = new LinkedHashSet<>();
    private final Set<String> edited = new LinkedHashSet<>();
    private final Map<List<String>, List<String>> meanings = new HashMap<>();

    private boolean asksByName;

    private Forecast(Collection<String> points, Collection<String> tensors) {
        this.points = points;
        this.tensors = tensors;
    }

    /**
     * Returns what to expect of blocks with these texts.
     *
     * @param points the points of modules
     * @param tensors the names of the tensors that are reached by them
     */
    static Forecast of(
            Collection<String> texts, Collection<String> points, Collection<String> tensors) {
        Forecast forecast = new Forecast(points, tensors);
        for (String text : texts) {
            forecast.read(text.substring(0, Math.min(text.length(), LONGEST)));
        }
        return forecast;
    }

    /** Returns the points that blocks may wait for. */
    Set<String> awaited() {
        return Collections.unmodifiableSet(awaited);
    }

    /** Returns those among them at which blocks may change something. */
    Set<String> edited() {
        return Collections.unmodifiableSet(edited);
    }

    /** Returns whether blocks may ask for tensors by their names, also by such as are computed. */
    boolean asksByName() {
        return asksByName;
    }

    private void read(String text) {
        Set<String> here = new LinkedHashSet<>();
        Map<Integer, List<String>> named = named(text);
        named.values().forEach(here::addAll);
        Aliases aliases = Aliases.in(text);
        for (Chain chain : Chain.in(text)) {
            List<String> meant =
                    named.containsKey(chain.start())
                            ? named.get(chain.start())
                            : meanings.computeIfAbsent(aliases.parts(chain), this::meant);
            here.addAll(meant);
            if (SKIP.matcher(chain.text()).find()
                    || ASSIGNED.matcher(text).region(chain.end(), text.length()).lookingAt()) {
                edited.addAll(meant);
            }
        }
        awaited.addAll(here);
        // A tensor that is changed by another name may come from any of them.
        if (IN_PLACE.matcher(text).find() || OTHER_CHANGE.matcher(text).find()) {
            edited.addAll(here);
        }
    }

    /** Returns the points of tensors by their names, by where the calls end that take the names. */
    private Map<Integer, List<String>> named(String text) {
        Map<Integer, List<String>> named = new HashMap<>();
        Matcher call = NAMED.matcher(text);
        while (named.size() < MOST_NAMES && call.find()) {
            asksByName = true;
            NameInText name = NameInText.from(text, call.end());
            named.put(
                    name.end(),
                    tensors.stream().filter(name::mayBe).map(RawTensors::point).toList());
        }
        return named;
    }

    /** Returns the points that the beginning of a chain may mean. */
    private List<String> meant(List<String> parts) {
        for (int last = 0; last < parts.size(); last++) {
            String point = POINTS.get(parts.get(last));
            for (int first = 0; point != null && first <= last; first++) {
                List<String> found = endingLike(parts.subList(first, last), point);
                if (!found.isEmpty()) {
                    return found;
                }
            }
        }
        return List.of();
    }

    private List<String> endingLike(List<String> module, String point) {
        StringBuilder ending = new StringBuilder("(?:^|\\.)");
        for (String part : module) {
            ending.append(part.equals(Chain.ANY) ? "[^.]+" : Pattern.quote(part)).append("\\.");
        }
        Pattern pattern = Pattern.compile(ending + point + "$");
        return points.stream().filter(known -> pattern.matcher(known).find()).toList();
    }
}
