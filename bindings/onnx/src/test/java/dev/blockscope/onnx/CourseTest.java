package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How far a run has come, where it can go back to, and what it does where the runtime refuses. */
class CourseTest {
    private final NativeLedger ledger = new NativeLedger();

    @TempDir private Path folder;
    private ModelFacts facts;
    private Segments segments;

    @BeforeEach
    void open() throws Exception {
        TinyModel tiny =
                new TinyModel()
                        .input("x", DType.FLOAT32, "2")
                        .output("y", DType.FLOAT32)
                        .node("Neg", "/net/a/Neg", "x", "a")
                        .node("Exp", "/net/b/Exp", "a", "b")
                        .node("Abs", "/net/c/Abs", "b", "c")
                        .node("Neg", "/net/d/Neg", "c", "y");
        use(ModelFacts.of(new SessionSettings(tiny.writeTo(folder), 1, false)));
    }

    private void use(ModelFacts known) {
        facts = known;
        SessionSettings settings = new SessionSettings(known.file().path(), 1, false);
        segments = new Segments(known, settings, ledger, 1L << 20);
    }

    @AfterEach
    void nothingIsLeft() {
        segments.close();
        assertThat(ledger.values()).isZero();
        assertThat(ledger.sessions()).isZero();
    }

    @Test
    void cannotGoBackBehindWhereItIsSettled() {
        try (Course course = begin(Plan.stepByStep())) {
            course.settleAt(2);

            assertThatThrownBy(() -> course.settleAt(1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the run is settled at position 2 and cannot go back to 1");
        }
    }

    @Test
    void goesBackToAnyPlaceItRanPast() {
        try (Course course = begin(looking("net.b", "net.c"))) {
            Tensor before = course.copy("b", 2, DType.FLOAT32);
            course.settleAt(2);
            course.put("b", before.mul(2));

            assertThat(course.copy("c", 3, DType.FLOAT32).sub(before.mul(2)).abs().max()).isZero();
            assertThat(course.finish().copy("y", DType.FLOAT32).add(before.mul(2)).abs().max())
                    .isZero();
        }
    }

    @Test
    void holdsNothingThatNobodyNeedsAnyMore() {
        try (Course course = begin(looking("net.a", "net.b", "net.c"))) {
            course.copy("a", 1, DType.FLOAT32);
            assertThat(ledger.values()).isEqualTo(5);

            course.finish();

            assertThat(ledger.values()).isEqualTo(1);
        }
    }

    @Test
    void cutsWhereTheRuntimeRefusesAFurtherOutput() {
        useWrongTypeOf("c");
        Plan plan = looking("net.a", "net.c");
        try (Course course = begin(plan)) {
            Tensor a = course.copy("a", 1, DType.FLOAT32);
            Tensor y = course.finish().copy("y", DType.FLOAT32);

            assertThat(y.add(a.exp()).abs().max()).isLessThan(1e-6);
        }
        assertThat(plan.isStepByStep()).isTrue();
    }

    @Test
    void keepsWhyItWasRefusedWhereCuttingDoesNotHelp() {
        useWrongTypeOf("b");
        Plan plan = looking("net.b");
        try (Course course = begin(plan)) {
            assertThatThrownBy(() -> course.copy("b", 2, DType.FLOAT32))
                    .isInstanceOf(OnnxRunException.class)
                    .hasMessageContaining("nodes 0 to 1")
                    .satisfies(e -> assertThat(e.getCause().getSuppressed()).hasSize(1));
        }
        assertThat(plan.isStepByStep()).isFalse();
    }

    /** What is told of a type is written into segments, and the runtime refuses what is wrong. */
    private void useWrongTypeOf(String tensor) {
        Map<String, TensorSpec> types = new HashMap<>(facts.types());
        types.put(tensor, new TensorSpec(tensor, DType.INT64, List.of()));
        use(
                new ModelFacts(
                        facts.file(),
                        facts.flow(),
                        facts.scopes(),
                        facts.modules(),
                        facts.points(),
                        facts.tensors(),
                        types,
                        facts.inputs(),
                        facts.outputs()));
    }

    private Plan looking(String... modules) {
        return Plan.of(
                facts.points(),
                List.of(modules).stream().map(module -> module + ".output").toList(),
                Set.of());
    }

    private Course begin(Plan plan) {
        Course course = new Course(facts, segments, ledger, plan);
        course.put("x", Tensor.of(new float[] {1, -2}));
        return course;
    }
}
