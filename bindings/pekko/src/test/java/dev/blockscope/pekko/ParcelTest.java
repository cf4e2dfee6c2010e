package dev.blockscope.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Payloads that are cut into parcels and put together again. */
final class ParcelTest {
    private static final byte[] TOO_LARGE = {1, 2, 3};

    @Test
    void arePutTogetherInTheirOrder() {
        byte[] payload = new byte[2 * Parcel.LARGEST + 7];
        payload[Parcel.LARGEST] = 42;
        List<Parcel> parcels = Parcel.cut(payload);
        Parcel.Assembly assembly = new Parcel.Assembly(4 * Parcel.LARGEST, TOO_LARGE);

        assertThat(parcels).hasSize(3);
        assertThat(assembly.add(parcels.get(0))).isNull();
        assertThat(assembly.add(parcels.get(1))).isNull();
        assertThat(assembly.add(parcels.get(2))).isEqualTo(payload);
        assertThat(assembly.add(Parcel.cut(TOO_LARGE).getFirst())).isEqualTo(TOO_LARGE);
    }

    @Test
    void afterALossNothingComesOfThem() {
        List<Parcel> parcels = Parcel.cut(new byte[2 * Parcel.LARGEST + 7]);
        Parcel.Assembly assembly = new Parcel.Assembly(4 * Parcel.LARGEST, TOO_LARGE);

        assertThat(assembly.add(parcels.get(0))).isNull();
        assertThat(assembly.add(parcels.get(2))).isNull();
        assertThat(assembly.add(parcels.get(1))).isNull();
        assertThat(assembly.add(Parcel.cut(TOO_LARGE).getFirst())).isEqualTo(TOO_LARGE);
    }

    @Test
    void ofOneThatIsTooLargeNoMoreIsKeptThanMayBe() {
        List<Parcel> parcels = Parcel.cut(new byte[4 * Parcel.LARGEST]);
        Parcel.Assembly assembly = new Parcel.Assembly(2 * Parcel.LARGEST, TOO_LARGE);

        assertThat(assembly.add(parcels.get(0))).isNull();
        assertThat(assembly.add(parcels.get(1))).isNull();
        assertThat(assembly.add(parcels.get(2))).isEqualTo(TOO_LARGE);
        assertThat(assembly.add(parcels.get(3))).isNull();
        assertThat(assembly.add(new Parcel(0, 1, new byte[] {5}))).isEqualTo(new byte[] {5});
    }

    @Test
    void aCountThatIsALieKeepsNoMoreEither() {
        Parcel.Assembly assembly = new Parcel.Assembly(2 * Parcel.LARGEST, TOO_LARGE);

        for (int i = 0; i < 2; i++) {
            assertThat(assembly.add(lie(i))).isNull();
        }
        assertThat(assembly.add(lie(2))).isEqualTo(TOO_LARGE);
        assertThat(assembly.add(lie(3))).isNull();
    }

    @Test
    void piecesThatAreNotFullAreNotKept() {
        Parcel.Assembly assembly = new Parcel.Assembly(2 * Parcel.LARGEST, TOO_LARGE);

        assertThat(assembly.add(new Parcel(0, 3, new byte[0]))).isNull();
        assertThat(assembly.add(new Parcel(1, 3, new byte[1]))).isNull();
        assertThat(assembly.add(new Parcel(2, 3, new byte[1]))).isNull();
    }

    private static Parcel lie(int index) {
        return new Parcel(index, Integer.MAX_VALUE, new byte[Parcel.LARGEST]);
    }
}
