"""Tests that the measurement and the verdict tell good renditions from bad ones."""

import contextlib
import hashlib
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np
from PIL import Image, ImageDraw

import fidelity
import measure
from picture import Picture
from reduce import Composable, reduce
from report import Allowance, Result, read_exceptions, verdict


def scene(width: int = 320, height: int = 240) -> Image.Image:
    """Smooth shades with a few hard edges and four different quarters."""
    x, y = np.meshgrid(np.linspace(0, 1, width), np.linspace(0, 1, height))
    image = Image.fromarray(np.uint8(np.stack([x * 255, y * 200, (1 - x * y) * 230], axis=2)))
    ImageDraw.Draw(image).ellipse((20, 30, 120, 100), fill="gold", outline="navy", width=5)
    return image


class Reduction(unittest.TestCase):
    def test_hidden_colour_does_not_bleed_through_transparency(self):
        pixels = np.zeros((8, 8, 3), np.uint8)
        pixels[:, :4] = 255, 0, 0
        pixels[:, 4:] = 0, 255, 0
        alpha = np.zeros((8, 8), np.uint8)
        alpha[:, :4] = 255
        small = reduce(Picture(pixels, alpha), (3, 3))
        self.assertEqual(small.over(0)[..., 1].max(), 0)
        self.assertTrue(0 < small.alpha[1, 1] < 255)

    def test_sixteen_bits_are_not_cut_to_eight(self):
        flat = reduce(Picture(np.full((9, 9, 1), 30000, np.uint16)), (4, 4))
        np.testing.assert_allclose(flat.colour, 30000 / 257, atol=1e-3)

    def test_alpha_that_is_opaque_is_no_alpha(self):
        opaque = Picture(np.zeros((2, 2, 3), np.uint8), np.full((2, 2), 255, np.uint8))
        self.assertIsNone(reduce(opaque, (1, 1)).alpha)


class Measuring(unittest.TestCase):
    def test_one_level_everywhere_is_48_decibels(self):
        self.assertAlmostEqual(measure.psnr(np.zeros((4, 4)), np.ones((4, 4))), 48.13, places=2)

    def test_the_quality_is_read_from_the_tables(self):
        for quality in (30, 80, 95):
            self.assertEqual(measure.jpeg_quality(encoded(scene(), quality)), quality)
        stream = io.BytesIO()
        scene().save(stream, "JPEG", qtables=[[7] * 64, [9] * 64])
        self.assertEqual(measure.jpeg_quality(Image.open(stream)), "other tables")

    def test_the_reference_gets_the_same_loss(self):
        image = scene()
        rendition = encoded(image, 60)
        reference = measure.encoded_like(
            Composable(np.asarray(image).astype(np.float32), None), rendition)
        np.testing.assert_array_equal(reference.colour, np.asarray(rendition.convert("RGB")))

    def test_only_the_right_orientation_is_upright(self):
        reference = as_composable(scene())
        self.assertTrue(measure.is_upright(reference, reference))
        for turn in Image.Transpose:
            with self.subTest(turn=turn):
                self.assertFalse(
                    measure.is_upright(reference, as_composable(scene().transpose(turn))))

    def test_sizes(self):
        self.assertTrue(measure.is_right_size((4032, 3024), (1320, 990)))
        self.assertTrue(measure.is_right_size((10000, 1), (1320, 1)))
        self.assertFalse(measure.is_right_size((4032, 3024), (990, 1320)))
        self.assertFalse(measure.is_right_size((100, 100), (200, 200)))
        self.assertFalse(measure.is_right_size((4032, 3024), (1320, 980)))


class Verdicts(unittest.TestCase):
    def found(self, psnr, allowance=None):
        result = Result(
            "a", "jpeg", 1, 2, 2, 80, psnr, psnr, upright=True, right_size=True)
        return verdict(result, 38, allowance)

    def test_the_threshold_decides_where_there_is_no_exception(self):
        self.assertEqual(self.found(38.0), "ok")
        self.assertTrue(self.found(37.9).startswith("FAIL"))
        self.assertTrue(self.found(None).startswith("FAIL"))

    def test_an_exception_allows_down_to_its_minimum_and_no_longer_than_needed(self):
        allowance = Allowance(30.0, "a convention")
        self.assertEqual(self.found(31.0, allowance), "exception: a convention")
        self.assertTrue(self.found(29.0, allowance).startswith("FAIL"))
        self.assertTrue(self.found(40.0, allowance).startswith("FAIL: stale"))

    def test_the_committed_exceptions_can_be_read(self):
        exceptions = read_exceptions(Path(__file__).parent / "exceptions.tsv")
        self.assertTrue(all(allowance.reason for allowance in exceptions.values()))


class Program(unittest.TestCase):
    def run_with(self, rendition: Image.Image) -> tuple[int, dict]:
        """Publishes one rendition of the scene and returns exit code and result."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for part in ("sources", "container/notifications", "container/renditions"):
                (folder / part).mkdir(parents=True)
            scene().save(folder / "sources/scene.png")
            rendition.save(folder / "container/renditions/one.jpg", quality=80, subsampling=2)
            width, height = rendition.size
            manifest = {
                "identifier": "scene.png", "source": {"format": "png", "orientation": 1},
                "renditions": [{"role": "expanded", "file": "one.jpg",
                                "size": {"width": width, "height": height}}],
            }
            key = hashlib.sha256(b"scene.png").hexdigest()
            (folder / f"container/notifications/{key}.json").write_text(json.dumps(manifest))
            arguments = ["fidelity.py", "--sources", str(folder / "sources"), "--container",
                         str(folder / "container"), "--json"]
            printed = io.StringIO()
            with mock.patch.object(sys, "argv", arguments), contextlib.redirect_stdout(printed):
                code = fidelity.main()
            return code, json.loads(printed.getvalue())

    def test_a_good_rendition_passes(self):
        code, found = self.run_with(scene().resize((160, 120), Image.Resampling.LANCZOS))
        self.assertEqual((code, found["verdict"], found["quality"]), (0, "ok", 80))

    def test_a_turned_rendition_fails(self):
        turned = scene().resize((160, 120)).transpose(Image.Transpose.ROTATE_180)
        code, found = self.run_with(turned)
        self.assertEqual((code, found["upright"]), (1, False))

    def test_a_blurred_rendition_fails(self):
        blurred = scene().resize((20, 15)).resize((160, 120))
        self.assertEqual(self.run_with(blurred)[0], 1)

    def test_a_squeezed_rendition_fails(self):
        code, found = self.run_with(scene().resize((160, 100)))
        self.assertEqual((code, found["right_size"]), (1, False))


def encoded(image: Image.Image, quality: int) -> Image.Image:
    """A picture as an opened JPEG."""
    stream = io.BytesIO()
    image.save(stream, "JPEG", quality=quality, subsampling=2)
    return Image.open(stream)


def as_composable(image: Image.Image) -> Composable:
    """An opaque picture, ready for comparison."""
    return Composable(np.asarray(image).astype(np.float32), None)


if __name__ == "__main__":
    unittest.main()
