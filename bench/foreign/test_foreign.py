"""Tests of the campaign's judgements: each kind of fault is found, and a right answer is not one."""

import dataclasses
import os
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import numpy as np
from PIL import Image

import collect
import decoders
import isolation
import judge


def slopes(mode: str = "RGB") -> Image.Image:
    """A picture whose orientations all differ, with alpha from 0 to 255 if the mode has it."""
    rows, columns = np.mgrid[0:48, 0:64]
    planes = [columns * 4, rows * 5, (columns + rows) * 2, columns * 4][:len(mode)]
    pixels = np.stack(planes, axis=2).clip(0, 255).astype(np.uint8)
    return Image.fromarray(pixels[..., 0] if mode == "L" else pixels, mode)


class Files(unittest.TestCase):
    """A temporary folder for each test."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def save(self, image: Image.Image, name: str, **options) -> Path:
        image.save(self.folder / name, **options)
        return self.folder / name

    @staticmethod
    def manifest(**source) -> dict:
        return {"identifier": "a", "source": {"frames": 1} | source}


class Difference(Files):
    def judged(self, source: Path, rendition: Image.Image):
        shown = self.save(rendition, "rendition.png")
        return judge.difference(source, shown, self.manifest())

    def test_the_same_picture_is_right(self):
        for name in ("a.png", "a.jpg", "a.webp", "a.tif", "a.bmp", "a.gif"):
            with self.subTest(name):
                source = self.save(slopes(), name)
                with Image.open(source) as image:
                    self.assertIsNone(self.judged(source, image.convert("RGB")))

    def test_other_colours_are_different(self):
        source = self.save(slopes(), "a.png")
        red, green, blue = slopes().split()
        found = self.judged(source, Image.merge("RGB", (blue, green, red)))
        self.assertEqual(found.kind, "silently different")

    def test_a_turned_picture_is_different(self):
        source = self.save(slopes(), "a.png")
        found = self.judged(source, slopes().transpose(Image.Transpose.ROTATE_180))
        self.assertEqual(found.kind, "silently different")

    def test_another_shape_is_different(self):
        source = self.save(slopes(), "a.png")
        self.assertIn("size", self.judged(source, slopes().resize((64, 30))).reason)

    def test_lost_transparency_is_different(self):
        source = self.save(slopes("RGBA"), "a.png")
        self.assertIn("transparency lost", self.judged(source, slopes()).reason)

    def test_wrong_levels_of_alpha_are_different(self):
        source = self.save(slopes("RGBA"), "a.png")
        pixels = np.asarray(slopes("RGBA")).copy()
        pixels[..., 3] = 16 + pixels[..., 3] * 219.0 / 255
        self.assertIsNotNone(self.judged(source, Image.fromarray(pixels, "RGBA")))

    def test_decoders_that_disagree_tell_nothing(self):
        shown = self.save(slopes(), "a.png")
        answers = [
            dataclasses.replace(answer, picture=decoders.decode(self.save(picture, "b.png")))
            for answer, picture in zip(
                decoders.answers(shown),
                (slopes().transpose(Image.Transpose.ROTATE_180), Image.new("RGB", (64, 48))))]
        for count, kind in ((1, "silently different"), (2, "different where decoders disagree")):
            with self.subTest(count), unittest.mock.patch.object(
                    decoders, "answers", lambda *_: answers[:count]):
                found = judge.difference(shown, shown, self.manifest())
                self.assertEqual(found.kind, kind)

    def test_a_note_is_said(self):
        source = self.save(slopes(), "a.png")
        shown = self.save(slopes().transpose(Image.Transpose.ROTATE_180), "rendition.png")
        found = judge.difference(source, shown, self.manifest() | {"notes": ["tone-mapped"]})
        self.assertEqual(found.kind, "different with a note")


class Growth(Files):
    def ratio(self, source_format: str, source_bytes: int, rendition_bytes: int, width: int = 64):
        manifest = self.manifest(
            format=source_format, bytes=source_bytes, size={"width": 64, "height": 48},
            orientation=1)
        expanded = {
            "bytes": rendition_bytes, "type": "public.png", "size": {"width": width, "height": 48}}
        return judge.growth(manifest, expanded)

    def test_an_attachable_picture_must_not_grow(self):
        self.assertIsNone(self.ratio("png", 1000, 1000))
        self.assertEqual(self.ratio("png", 1000, 1001).kind, "grown")

    def test_a_picture_that_must_be_encoded_may_double(self):
        self.assertIsNone(self.ratio("webp", 1000, 2000))
        self.assertIsNone(self.ratio("webp", 1000, 2000))
        self.assertEqual(self.ratio("webp", 1000, 2632).kind, "grown")

    def test_a_tiny_picture_may_grow(self):
        self.assertEqual(
            self.ratio("webp", 200, 1031).kind, "grown from almost nothing")
        self.assertEqual(self.ratio("jxl", 150, 9000).kind, "grown from almost nothing")
        self.assertEqual(self.ratio("jxl", 151, 9000).kind, "grown")
        self.assertEqual(self.ratio("webp", 200, 1032).kind, "grown")
        self.assertEqual(self.ratio("png", 200, 201).kind, "grown")

    def test_a_smaller_picture_is_not_compared(self):
        self.assertIsNone(self.ratio("png", 1000, 5000, width=32))


class Refusal(Files):
    failure = {"file": "a", "error": "corrupt", "reason": "the PNG data is damaged"}

    def test_a_file_that_two_decoders_take_is_a_fault(self):
        found = judge.refusal(self.save(slopes(), "a.png"), self.failure, [])
        self.assertEqual(found.kind, "refused though others decode it")

    def test_a_file_that_others_misread_is_said(self):
        listed = [judge.Misreading(judge.re.compile("(^|/)a.bmp$"), "because")]
        for name, kind in {"b/a.bmp": "misread by other decoders", "aa.bmp": "silently different"}.items():
            verdict = judge.Verdict(name, "silently different", "20 dB")
            self.assertEqual(judge.excused(verdict, listed).kind, kind)
        lost = judge.Verdict("a.bmp", "grown", "")
        self.assertEqual(judge.excused(lost, listed), lost)

    def test_a_listed_kind_is_none(self):
        kind = judge.Kind("corrupt", judge.re.compile("PNG data"), "because")
        found = judge.refusal(self.save(slopes(), "a.png"), self.failure, [kind])
        self.assertEqual(found.kind, "refused by a listed kind")

    def test_a_cut_file_is_none(self):
        whole = self.save(slopes(), "a.png").read_bytes()
        cut = self.folder / "cut.png"
        cut.write_bytes(whole[:len(whole) // 2])
        self.assertIsNone(judge.refusal(cut, self.failure, []))


class Isolation(unittest.TestCase):
    def test_a_result_comes_back(self):
        self.assertEqual(isolation.isolated(max, (1, 2)), 2)

    def test_a_crash_is_not_the_caller_s(self):
        with self.assertRaises(isolation.Lost):
            isolation.isolated(os.abort, ())

    def test_an_error_names_itself(self):
        with self.assertRaisesRegex(isolation.Lost, "ValueError"):
            isolation.isolated(int, ("x",))


class Recognition(Files):
    def test_every_format_is_recognised_and_collected(self):
        for name, wanted in {
                "a.png": "png", "a.jpg": "jpeg", "a.webp": "webp", "a.tif": "tiff",
                "a.bmp": "bmp", "a.gif": "gif"}.items():
            path = self.save(slopes(), name)
            self.assertEqual(decoders.format_of(path), wanted)
            self.assertTrue(collect.is_picture(path.read_bytes()))

    def test_text_is_no_picture(self):
        self.assertFalse(collect.is_picture(b"GIF is a format"))


if __name__ == "__main__":
    unittest.main()
