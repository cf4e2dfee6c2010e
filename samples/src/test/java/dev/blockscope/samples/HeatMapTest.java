package dev.blockscope.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeatMapTest {

    @Test
    void drawsTheTablesBesideEachOther(@TempDir Path folder) throws Exception {
        var table =
                CosineTable.of(
                        List.of("a", "a text that is far too long to stand beside its row whole"),
                        List.of(new float[] {1, 0}, new float[] {0, 1}));

        HeatMap.write(folder.resolve("one.png"), List.of(table.picture("one")));
        HeatMap.write(
                folder.resolve("two.png"), List.of(table.picture("one"), table.picture("other")));

        BufferedImage one = ImageIO.read(folder.resolve("one.png").toFile());
        BufferedImage two = ImageIO.read(folder.resolve("two.png").toFile());
        assertThat(two.getWidth()).isEqualTo(2 * one.getWidth());
        assertThat(one.getRGB(0, 0)).isEqualTo(Color.WHITE.getRGB());
    }
}
