"""Tests of structural similarity and of cached references."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
from PIL import Image

from perceptual import compute_ssimulacra2, loss, ssimulacra2
from reduce import Composable
from ssim import KERNEL, ssim

HERE = Path(__file__).parent


def scene(rows: int = 60, columns: int = 80) -> np.ndarray:
    """A smooth picture with an edge."""
    y, x = np.mgrid[:rows, :columns]
    return 128 + 60 * np.sin(x / 9) * np.cos(y / 7) + 30 * (x > columns / 2)


class SSIM(unittest.TestCase):
    def test_window_sums_to_one(self):
        self.assertAlmostEqual(KERNEL.sum(), 1)

    def test_equal_planes_are_wholly_similar(self):
        self.assertAlmostEqual(ssim(scene(), scene()), 1)

    def test_constant_planes_follow_the_formula(self):
        # Without variance only the luminance term remains: (2ab + C1) / (a² + b² + C1).
        a, b, c1 = 100.0, 120.0, (0.01 * 255) ** 2
        expected = (2 * a * b + c1) / (a * a + b * b + c1)
        self.assertAlmostEqual(ssim(np.full((20, 20), a), np.full((20, 20), b)), expected)

    def test_noise_lowers_it_and_more_noise_more(self):
        noise = np.random.default_rng(1).normal(0, 1, scene().shape)
        some, more = ssim(scene(), scene() + 5 * noise), ssim(scene(), scene() + 20 * noise)
        self.assertLess(more, some)
        self.assertLess(some, 1)

    def test_a_plane_smaller_than_the_window_is_refused(self):
        with self.assertRaises(ValueError):
            ssim(np.zeros((10, 40)), np.zeros((10, 40)))


def coloured(rows: int = 240, columns: int = 320) -> np.ndarray:
    """A grey scene as colour."""
    return np.repeat(scene(rows, columns)[..., np.newaxis], 3, axis=2).astype(np.uint8)


def opaque(colour: np.ndarray) -> Composable:
    return Composable(colour.astype(np.float32), None)


@unittest.skipUnless(compute_ssimulacra2, "needs the package ssimulacra2: make bench-python")
class Perceptual(unittest.TestCase):
    def test_equal_pictures_score_100(self):
        self.assertAlmostEqual(ssimulacra2(opaque(coloured()), opaque(coloured())), 100)

    def test_noise_lowers_it_and_is_a_loss(self):
        truth = opaque(coloured())
        noise = np.random.default_rng(1).normal(0, 8, truth.colour.shape)
        score = ssimulacra2(truth, opaque(truth.colour + noise))
        self.assertLess(score, 90)
        self.assertAlmostEqual(loss(truth, truth, score), 100 - score)

    def test_alpha_is_judged_over_both_backgrounds(self):
        alpha = np.full((240, 320), 128, np.float32)
        truth = Composable(coloured() * np.float32(0.5), alpha)
        clear = Composable(truth.colour, alpha * 0)
        # Over black both are the same; over white only the first is.
        self.assertLess(ssimulacra2(truth, clear), 50)

    def test_small_pictures_have_no_score(self):
        small = opaque(coloured(7, 40))
        self.assertIsNone(ssimulacra2(small, small))


class Program(unittest.TestCase):
    def test_answers_every_line_and_keeps_references(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            image = Image.fromarray(coloured())
            image.save(folder / "source.png")
            image.resize((160, 120), Image.Resampling.LANCZOS).save(folder / "small.png")
            (folder / "broken.png").write_bytes(b"nothing")
            lines = [{"source": f"{folder}/source.png", "rendition": f"{folder}/{file}"}
                     for file in ("small.png", "broken.png", "small.png")]
            done = subprocess.run(
                [sys.executable, HERE / "quality.py", "--cache", folder / "cache"],
                input="\n".join(map(json.dumps, lines)), capture_output=True, text=True,
                check=True)
            first, second, third = map(json.loads, done.stdout.splitlines())
            self.assertGreater(first["psnr"], 48)
            self.assertGreater(first["ssim"], 0.99)
            self.assertIn("fault", second)
            self.assertEqual(first, third)
            self.assertEqual(len(list((folder / "cache").iterdir())), 1)
            self.assertIsNone(first["loss"])

    @unittest.skipUnless(compute_ssimulacra2, "needs the package ssimulacra2: make bench-python")
    def test_loss_is_that_of_the_reduction_alone(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            image = Image.fromarray(coloured(480, 640))
            image.save(folder / "source.png")
            for file, kernel in (("sharp.jpg", Image.Resampling.LANCZOS),
                                 ("rough.jpg", Image.Resampling.NEAREST)):
                image.resize((320, 240), kernel).save(folder / file, quality=80)
            lines = [{"source": f"{folder}/source.png", "rendition": f"{folder}/{file}"}
                     for file in ("sharp.jpg", "rough.jpg")]
            done = subprocess.run(
                [sys.executable, HERE / "quality.py", "--cache", folder / "cache"],
                input="\n".join(map(json.dumps, lines)), capture_output=True, text=True,
                check=True)
            sharp, rough = map(json.loads, done.stdout.splitlines())
            self.assertLess(abs(sharp["loss"]), 1)
            self.assertGreater(rough["loss"], 5)


if __name__ == "__main__":
    unittest.main()
