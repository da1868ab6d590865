"""Tests of structural similarity and of cached references."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
from PIL import Image

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


class Program(unittest.TestCase):
    def test_answers_every_line_and_keeps_references(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            pixels = np.repeat(scene(240, 320)[..., np.newaxis], 3, axis=2).astype(np.uint8)
            image = Image.fromarray(pixels)
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


if __name__ == "__main__":
    unittest.main()
