package dev.blockscope.wire;

import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.cbor.CBORGenerator;
import com.fasterxml.jackson.dataformat.cbor.CBORParser;

/** How CBOR is read and written: by the standard, and within bounds that no input can move. */
final class Cbor {
    /** Values nested deeper than this are refused on both sides. */
    static final int DEEPEST = 500;

    /** Texts, numbers, lists and so on; the elements of a typed array count as one. */
    static final int MOST_VALUES = 2_000_000;

    private static final int MOST_DIGITS = 100_000;

    static final CBORFactory FACTORY =
            CBORFactory.builder()
                    .enable(CBORGenerator.Feature.ENCODE_USING_STANDARD_NEGATIVE_BIGINT_ENCODING)
                    .enable(CBORParser.Feature.DECODE_USING_STANDARD_NEGATIVE_BIGINT_ENCODING)
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    // An object takes an array and its content one level more.
                                    .maxNestingDepth(3 * DEEPEST)
                                    .maxTokenCount(2L * MOST_VALUES)
                                    .maxNumberLength(MOST_DIGITS)
                                    .maxStringLength(Integer.MAX_VALUE)
                                    .build())
                    .build();

    private Cbor() {}
}
