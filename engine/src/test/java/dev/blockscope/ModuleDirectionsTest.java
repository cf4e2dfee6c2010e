package dev.blockscope;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** Who may use whom inside the engine. */
final class ModuleDirectionsTest {
    private static final String CORE = "dev.blockscope";
    private static final String INTERLEAVE = "dev.blockscope.interleave..";
    private static final String WIRE = "dev.blockscope.wire..";
    private static final String TRUFFLE = "dev.blockscope.truffle..";

    private final JavaClasses engine =
            new ClassFileImporter()
                    .importUrl(
                            BlockEngine.class.getProtectionDomain().getCodeSource().getLocation());

    @Test
    void theScanSawTheEngine() {
        assertThat(engine.size()).isGreaterThan(50);
    }

    /** Whatever wires engines, two of them have nothing in common that one could change. */
    @Test
    void nothingStaticCanBeAssigned() {
        fields().that()
                .areStatic()
                .and()
                .areDeclaredInClassesThat()
                .areTopLevelClasses()
                .should()
                .beFinal()
                .check(engine);
    }

    @Test
    void onlyTheTrufflePackageKnowsTruffle() {
        noClasses()
                .that()
                .resideOutsideOfPackage(TRUFFLE)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.oracle.truffle..")
                .check(engine);
    }

    @Test
    void nobodyKnowsTheInsideOfALanguage() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "com.oracle.truffle.js..",
                        "com.oracle.js..",
                        "com.oracle.truffle.regex..",
                        "com.oracle.graal.python..")
                .check(engine);
    }

    @Test
    void theTrufflePackageIsBelowEverything() {
        noClasses()
                .that()
                .resideInAPackage(TRUFFLE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(CORE, INTERLEAVE, WIRE)
                .check(engine);
    }

    @Test
    void theCoreDoesNotKnowWhatSitsOnIt() {
        noClasses()
                .that()
                .resideInAPackage(CORE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(INTERLEAVE, WIRE)
                .check(engine);
    }

    @Test
    void whatSitsOnTheCoreDoesNotKnowEachOther() {
        noClasses()
                .that()
                .resideInAPackage(INTERLEAVE)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(WIRE)
                .check(engine);
        noClasses()
                .that()
                .resideInAPackage(WIRE)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(INTERLEAVE)
                .check(engine);
    }

    @Test
    void whatSitsOnTheCoreReachesTheMachineryThroughIt() {
        noClasses()
                .that()
                .resideInAnyPackage(INTERLEAVE, WIRE)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(TRUFFLE)
                .check(engine);
    }

    @Test
    void theEngineKnowsNoBinding() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "javax.script..",
                        "ai.onnxruntime..",
                        "org.apache.pekko..",
                        "dev.blockscope.onnx..")
                .check(engine);
    }
}
