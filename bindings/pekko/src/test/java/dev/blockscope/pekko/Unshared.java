package dev.blockscope.pekko;

import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/** An exception of a class that is in no file: only the JVM that makes it has it. */
final class Unshared extends ClassLoader {
    static final String NAME = "only.there.OutOfStock";

    private Unshared() {}

    /** Makes the class, and an exception of it. */
    static RuntimeException exception(String message) {
        ClassDesc above = ClassDesc.of(RuntimeException.class.getName());
        MethodTypeDesc made = MethodTypeDesc.of(CD_void, CD_String);
        byte[] bytes =
                ClassFile.of()
                        .build(
                                ClassDesc.of(NAME),
                                type ->
                                        type.withSuperclass(above)
                                                .withMethodBody(
                                                        INIT_NAME,
                                                        made,
                                                        ClassFile.ACC_PUBLIC,
                                                        code ->
                                                                code.aload(0)
                                                                        .aload(1)
                                                                        .invokespecial(
                                                                                above, INIT_NAME,
                                                                                made)
                                                                        .return_()));
        try {
            return (RuntimeException)
                    new Unshared()
                            .defineClass(NAME, bytes, 0, bytes.length)
                            .getConstructor(String.class)
                            .newInstance(message);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a class that was made just now was not found", e);
        }
    }
}
