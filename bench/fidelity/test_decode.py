"""Tests of decoding, orientation and colour of the reference, with synthetic pictures."""

import io
import struct
import tempfile
import unittest
import zlib
from pathlib import Path

import numpy as np
from PIL import Image, ImageCms

import deep
import heif
from colour import SWOP, to_srgb
from decode import decode, nearest_frame
from picture import Picture

# The transformation from upright to stored pixels, for each Exif orientation.
STORED = {
    2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM, 5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90, 7: Image.Transpose.TRANSVERSE, 8: Image.Transpose.ROTATE_270,
}


def four_corners() -> Image.Image:
    """A picture whose orientations all differ."""
    image = Image.new("RGB", (48, 32))
    for place, colour in [((0, 0), "red"), ((24, 0), "lime"), ((0, 16), "blue")]:
        image.paste(colour, (*place, place[0] + 24, place[1] + 16))
    return image


class Files(unittest.TestCase):
    """A temporary folder for each test."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


class Tags(Files):
    """Colours that are described by tags."""

    # Red of Display P3 at half, and a grey, in sRGB: by the primaries' matrices, D65 to D65.
    def test_display_p3_by_cicp_is_converted(self):
        path = self.folder / "p3.png"
        Image.new("RGB", (2, 2), (128, 64, 64)).save(path)
        data = path.read_bytes()
        chunk = b"cICP" + bytes([12, 13, 0, 1])
        path.write_bytes(
            data[:33] + struct.pack(">I", 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) + data[33:])
        shown = to_srgb(decode(path)).samples[0, 0].astype(int)
        np.testing.assert_allclose(shown, (138, 60, 62), atol=1)

    def test_a_linear_png_is_converted(self):
        path = self.folder / "linear.png"
        Image.new("RGB", (2, 2), (55, 55, 55)).save(path)
        data = path.read_bytes()
        chunk = b"gAMA" + struct.pack(">I", 100_000)
        path.write_bytes(
            data[:33] + struct.pack(">I", 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) + data[33:])
        shown = to_srgb(decode(path)).samples[0, 0].astype(int)
        np.testing.assert_allclose(shown, (128, 128, 128), atol=1)

    def test_a_gamma_of_nearly_srgb_changes_nothing(self):
        for mode, level in (("RGB", (10, 20, 200)), ("L", 10)):
            path = self.folder / f"{mode}.png"
            Image.new(mode, (2, 2), level).save(path)
            data = path.read_bytes()
            chunk = b"gAMA" + struct.pack(">I", 45_455)
            path.write_bytes(
                data[:33] + struct.pack(">I", 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
                + data[33:])
            shown = to_srgb(decode(path)).samples[0, 0]
            np.testing.assert_array_equal(np.ravel(shown), np.ravel(level))


class Orientation(Files):
    def test_an_orientation_in_xmp_alone_is_ignored(self):
        packet = b"""<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
            xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
            xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="3"/></rdf:RDF></x:xmpmeta>"""
        data = b"http://ns.adobe.com/xap/1.0/\0" + packet
        plain = self.folder / "plain.jpg"
        four_corners().save(plain, quality=95)
        tagged = self.folder / "tagged.jpg"
        stored = plain.read_bytes()
        tagged.write_bytes(
            stored[:2] + b"\xff\xe1" + (len(data) + 2).to_bytes(2, "big") + data + stored[2:])
        np.testing.assert_array_equal(decode(tagged).samples, decode(plain).samples)

    def test_every_orientation_of_every_format_comes_out_upright(self):
        upright = np.asarray(four_corners()).astype(int)
        for kind in ("png", "jpg", "webp", "tif"):
            for orientation, turn in STORED.items():
                with self.subTest(kind=kind, orientation=orientation):
                    path = self.folder / f"{orientation}.{kind}"
                    exif = Image.Exif()
                    exif[0x0112] = orientation
                    how = {"tiffinfo": {0x0112: orientation}} if kind == "tif" else {"exif": exif}
                    four_corners().transpose(turn).save(path, quality=95, **how)
                    found = decode(path)
                    self.assertEqual(found.size, (48, 32))
                    self.assertLess(abs(found.samples.astype(int) - upright).mean(), 8)

    def test_avif_properties_are_applied_in_order(self):
        said = "irot (Rotation)      : 1\n imir (Mirror)        : Mode 1 (left-to-right)"
        pixels = np.arange(6).reshape(2, 3)
        # Anticlockwise, then mirrored: the transverse, as in orientation 7.
        self.assertEqual(heif.transform(pixels, said).tolist(), [[5, 2], [4, 1], [3, 0]])
        crop = "derived crop rect: X: 1, Y: 0, W: 2, H: 1"
        self.assertEqual(heif.transform(pixels, crop).tolist(), [[1, 2]])


class Transparency(Files):
    def test_a_transparent_palette_entry_becomes_alpha(self):
        image = Image.new("P", (2, 1))
        image.putpalette([255, 0, 0, 0, 0, 255])
        image.putpixel((1, 0), 1)
        image.save(self.folder / "p.png", transparency=1)
        found = decode(self.folder / "p.png")
        self.assertEqual(found.alpha.tolist(), [[255, 0]])
        self.assertEqual(found.samples[0, 0].tolist(), [255, 0, 0])

    def test_an_animation_gives_its_first_frame(self):
        frames = [Image.new("RGB", (4, 4), colour) for colour in ("red", "blue")]
        frames[0].save(self.folder / "a.gif", save_all=True, append_images=frames[1:])
        self.assertEqual(decode(self.folder / "a.gif").samples[0, 0].tolist(), [255, 0, 0])

    def test_the_frame_of_a_still_is_found_and_decoded(self):
        frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "lime", "blue")]
        frames[0].save(self.folder / "a.gif", save_all=True, append_images=frames[1:])
        Image.new("RGB", (4, 4), (10, 240, 20)).save(self.folder / "still.png")
        frame = nearest_frame(self.folder / "a.gif", self.folder / "still.png")
        self.assertEqual(frame, 1)
        found = decode(self.folder / "a.gif", frame)
        self.assertEqual(found.samples[0, 0].tolist(), [0, 255, 0])


class Deep(Files):
    def test_every_filter_of_a_16_bit_png_is_undone(self):
        random = np.random.default_rng(1)
        for colour, channels in deep.CHANNELS.items():
            for interlaced in (False, True):
                with self.subTest(colour=colour, interlaced=interlaced):
                    pixels = random.integers(0, 65536, (13, 11, channels), np.uint16)
                    path = self.folder / "deep.png"
                    path.write_bytes(deep_png(pixels, colour, interlaced))
                    self.assertTrue(deep.is_deep_png(path))
                    found = decode(path)
                    planes = [found.samples] if found.alpha is None else [
                        found.samples, found.alpha[..., np.newaxis]]
                    np.testing.assert_array_equal(np.concatenate(planes, axis=2), pixels)

    def test_uncompressed_16_bit_tiff_keeps_its_low_bytes(self):
        pixels = np.random.default_rng(2).integers(0, 65536, (3, 5, 3), np.uint16)
        path = self.folder / "deep.tif"
        path.write_bytes(deep_tiff(pixels))
        np.testing.assert_array_equal(decode(path).samples, pixels)


class Colour(Files):
    def test_an_embedded_profile_is_applied(self):
        image = Image.new("RGB", (2, 2), (200, 100, 50))
        image.save(self.folder / "swapped.png", icc_profile=red_for_blue())
        found = to_srgb(decode(self.folder / "swapped.png")).samples[0, 0].astype(int)
        self.assertLess(abs(found - [50, 100, 200]).max(), 3)

    def test_an_srgb_profile_changes_nothing(self):
        ramp = np.arange(256, dtype=np.uint8).reshape(16, 16, 1).repeat(3, axis=2)
        profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
        found = to_srgb(Picture(ramp, None, profile)).samples.astype(int)
        self.assertLessEqual(abs(found - ramp).max(), 1)

    def test_a_profile_for_another_colour_space_is_ignored(self):
        grey = np.full((1, 1, 1), 77, np.uint8)
        profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
        self.assertEqual(to_srgb(Picture(grey, None, profile)).samples.tolist(), [[[77]]])

    @unittest.skipUnless(SWOP.exists(), "libgs-common is not installed")
    def test_untagged_cmyk_is_swop(self):
        # Approximate values of image editors for SWOP inks, with black point compensation.
        for inks, wanted in [((0, 0, 0, 0), (255, 255, 255)), ((255, 0, 0, 0), (0, 174, 239)),
                             ((0, 255, 255, 0), (237, 28, 36))]:
            with self.subTest(inks=inks):
                path = self.folder / "inks.jpg"
                Image.new("CMYK", (16, 16), inks).save(path, quality=100)
                found = to_srgb(decode(path)).samples[8, 8].astype(int)
                self.assertLess(abs(found - wanted).max(), 25)


def red_for_blue() -> bytes:
    """The sRGB profile with the red and blue primaries exchanged."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    count = struct.unpack_from(">I", profile, 128)[0]
    entries = range(132, 132 + 12 * count, 12)
    red, blue = (next(e for e in entries if profile[e:e + 4] == tag) for tag in (b"rXYZ", b"bXYZ"))
    profile[red:red + 4], profile[blue:blue + 4] = b"bXYZ", b"rXYZ"
    return bytes(profile)


def deep_png(pixels: np.ndarray, colour: int, interlaced: bool) -> bytes:
    """A 16-bit PNG whose rows use the five filters in turn."""
    height, width, channels = pixels.shape
    passes = deep.ADAM7 if interlaced else [(0, 0, 1, 1)]
    stream = b"".join(filtered(pixels[y::dy, x::dx]) for x, y, dx, dy in passes)
    header = struct.pack(">IIBBBBB", width, height, 16, colour, 0, 0, int(interlaced))
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(stream)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in parts)


def filtered(pixels: np.ndarray) -> bytes:
    """The rows of a pass, filtered as in PNG specification 9.2."""
    step = pixels.shape[2] * 2
    above, out = bytes(pixels.shape[1] * step), io.BytesIO()
    for number, row in enumerate(pixels):
        current = row.astype(">u2").tobytes()
        out.write(bytes([number % 5]) if current else b"")
        for i, value in enumerate(current):
            a = current[i - step] if i >= step else 0
            b, c = above[i], above[i - step] if i >= step else 0
            nearest = min((a, b, c), key=lambda n: abs(a + b - c - n))
            guess = (0, a, b, (a + b) // 2, nearest)[number % 5]
            out.write(bytes([(value - guess) % 256]))
        above = current
    return out.getvalue()


def deep_tiff(pixels: np.ndarray) -> bytes:
    """A little-endian TIFF with one uncompressed strip of 16-bit RGB."""
    height, width, _ = pixels.shape
    body = pixels.astype("<u2").tobytes()
    bits_at, strip_at = 8 + 2 + 9 * 12 + 4, 8 + 2 + 9 * 12 + 4 + 6
    entries = [(256, 3, 1, width), (257, 3, 1, height), (258, 3, 3, bits_at), (259, 3, 1, 1),
               (262, 3, 1, 2), (273, 4, 1, strip_at), (277, 3, 1, 3), (278, 3, 1, height),
               (279, 4, 1, len(body))]
    directory = b"".join(struct.pack("<HHII", *entry) for entry in entries)
    return (b"II*\0" + struct.pack("<IH", 8, len(entries)) + directory + bytes(4)
            + struct.pack("<HHH", 16, 16, 16) + body)


if __name__ == "__main__":
    unittest.main()
