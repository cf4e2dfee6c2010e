package dev.blockscope.samples;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaEnumConstant;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import dev.blockscope.Limit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The page "Errors" leaves no error out that a user of the library can meet. */
class DocumentedErrorsTest {

    private static final Path PAGE = Path.of("..", "src", "site", "errors.md");

    private static String page;

    @BeforeAll
    static void read() throws IOException {
        page = Files.readString(PAGE);
    }

    /** The public exceptions of all modules. */
    private static Stream<JavaClass> exceptions() {
        return new ClassFileImporter()
                .withImportOption(new DoNotIncludeTests()).importPackages("dev.blockscope").stream()
                        .filter(type -> type.isAssignableTo(Throwable.class))
                        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                        .filter(type -> !type.getPackageName().endsWith(".truffle"));
    }

    /** What they can be asked for: the constants of their enums, and the limits. */
    static Set<String> names() {
        Set<String> names = new TreeSet<>();
        exceptions()
                .forEach(type -> {
                    names.add(type.getSimpleName());
                    type.getMethods().stream()
                            .filter(it -> it.getModifiers().contains(JavaModifier.PUBLIC))
                            .map(method -> method.getRawReturnType())
                            .filter(JavaClass::isEnum)
                            .flatMap(kinds -> kinds.getEnumConstants().stream())
                            .map(JavaEnumConstant::name)
                            .forEach(names::add);
                });
        Arrays.stream(Limit.values()).map(Enum::name).forEach(names::add);
        return names;
    }

    @Test
    void theErrorsOfEveryModuleAreSeen() {
        assertThat(names())
                .contains(
                        "BlockException",
                        "HookException",
                        "UnsendableException",
                        "OnnxFileException",
                        "SYNTAX",
                        "PASSED",
                        "LOST",
                        "STATEMENTS");
    }

    @ParameterizedTest
    @MethodSource("names")
    void isExplained(String name) {
        assertThat(page).contains("`" + name + "`");
    }
}
