package dev.blockscope.onnx;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import java.nio.file.Path;

/**
 * How ONNX Runtime runs the sessions of one model.
 *
 * @param file the model file; the weights of every session are read from it
 * @param threads how many threads work on one operation
 * @param spinning whether those threads wait for work by spinning
 */
record SessionSettings(Path file, int threads, boolean spinning) {
    private static final String WEIGHTS_FOLDER =
            "session.model_external_initializers_file_folder_path";

    private static final String OMITTED = "optimization.disable_specified_optimizers";

    /**
     * Makes a slice of a gather by a range, and takes the range away even where it is an output of
     * the graph; a run then answers nothing in its place.
     */
    private static final String TAKES_OUTPUTS_AWAY = "GatherToSliceFusion";

    /** Opens the model file as it is. */
    OrtSession openWhole() throws OrtException {
        try (SessionOptions options = options(OptLevel.ALL_OPT)) {
            return OrtEnvironment.getEnvironment().createSession(file.toString(), options);
        }
    }

    /** Opens a segment, with all optimisations of the runtime. */
    OrtSession openSegment(byte[] model) throws OrtException {
        return open(model, OptLevel.ALL_OPT);
    }

    /** Opens a model only to ask what it says about its values. */
    OrtSession openUnoptimised(byte[] model) throws OrtException {
        return open(model, OptLevel.NO_OPT);
    }

    /** Opens a model with hooks, with all optimisations of the runtime. */
    OrtSession openHooked(byte[] model) throws OrtException {
        try (SessionOptions options = options(OptLevel.ALL_OPT)) {
            HookOperator.addTo(options);
            return open(model, OptLevel.ALL_OPT, options);
        }
    }

    private OrtSession open(byte[] model, OptLevel level) throws OrtException {
        try (SessionOptions options = options(level)) {
            return open(model, level, options);
        }
    }

    private OrtSession open(byte[] model, OptLevel level, SessionOptions options)
            throws OrtException {
        Path folder = file.getParent();
        options.addConfigEntry(WEIGHTS_FOLDER, folder == null ? "." : folder.toString());
        options.addConfigEntry(OMITTED, TAKES_OUTPUTS_AWAY);
        if (level == OptLevel.NO_OPT) {
            options.addConfigEntry("session.disable_prepacking", "1");
        }
        return OrtEnvironment.getEnvironment().createSession(model, options);
    }

    private SessionOptions options(OptLevel level) throws OrtException {
        SessionOptions options = new SessionOptions();
        options.setIntraOpNumThreads(threads);
        options.setInterOpNumThreads(1);
        options.setOptimizationLevel(level);
        options.addConfigEntry("session.intra_op.allow_spinning", spinning ? "1" : "0");
        // What goes wrong comes as an exception; the log would only repeat it.
        options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
        return options;
    }
}
