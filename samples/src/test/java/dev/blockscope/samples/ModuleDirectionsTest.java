package dev.blockscope.samples;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * Samples stand on bindings, bindings on the engine, and inside the engine all stands on Truffle's
 * package.
 */
@AnalyzeClasses(packages = "dev.blockscope", importOptions = DoNotIncludeTests.class)
class ModuleDirectionsTest {

    private static final String[] ENGINE = {
        "dev.blockscope", "dev.blockscope.interleave..", "dev.blockscope.truffle.."
    };
    private static final String JSR223 = "dev.blockscope.jsr223..";
    private static final String ONNX = "dev.blockscope.onnx..";
    private static final String PEKKO = "dev.blockscope.pekko..";
    private static final String SAMPLES = "dev.blockscope.samples..";

    @ArchTest
    static final ArchRule theEngineKnowsNoBinding =
            noClasses()
                    .that()
                    .resideInAnyPackage(ENGINE)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            JSR223,
                            ONNX,
                            PEKKO,
                            SAMPLES,
                            "ai.onnxruntime..",
                            "javax.script..",
                            "org.apache.pekko..");

    @ArchTest
    static final ArchRule noBindingKnowsASample =
            noClasses()
                    .that()
                    .resideInAnyPackage(JSR223, ONNX, PEKKO)
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(SAMPLES);

    @ArchTest
    static final ArchRule bindingsDoNotKnowEachOther =
            noClasses()
                    .that()
                    .resideInAPackage(JSR223)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(ONNX, PEKKO);

    @ArchTest
    static final ArchRule workersKnowNoModel =
            noClasses()
                    .that()
                    .resideInAPackage(PEKKO)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(JSR223, ONNX);

    @ArchTest
    static final ArchRule modelsKnowNoWorkers =
            noClasses()
                    .that()
                    .resideInAPackage(ONNX)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(JSR223, PEKKO);

    @ArchTest
    static final ArchRule onlyOnePackageImportsTruffle =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.blockscope.truffle..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("com.oracle.truffle..");

    @ArchTest
    static final ArchRule theTrufflePackageIsBelowEverything =
            noClasses()
                    .that()
                    .resideInAPackage("dev.blockscope.truffle..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "dev.blockscope",
                            "dev.blockscope.interleave..",
                            JSR223,
                            ONNX,
                            PEKKO,
                            SAMPLES);

    @ArchTest
    static final ArchRule theCoreKnowsNothingOfInterleaving =
            noClasses()
                    .that()
                    .resideInAPackage("dev.blockscope")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("dev.blockscope.interleave..");

    @ArchTest
    static void everyModuleWasLookedAt(JavaClasses classes) {
        assertThat(classes)
                .extracting(type -> type.getPackageName())
                .contains(
                        "dev.blockscope",
                        "dev.blockscope.interleave",
                        "dev.blockscope.jsr223",
                        "dev.blockscope.onnx",
                        "dev.blockscope.pekko",
                        "dev.blockscope.samples",
                        "dev.blockscope.truffle");
    }
}
