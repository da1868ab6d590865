"""Tests of the bars and the table."""

import unittest

from report import Row, bars, markdown


def row(name: str, score: float, peak: int = 4 << 20) -> Row:
    """A picture at quality 70."""
    return Row(name, 1320, score, 70, peak)


class Bars(unittest.TestCase):
    def missed(self, rows: list[Row], milliseconds: float = 100) -> list[str]:
        return [bar.name for bar in bars(rows, 75, milliseconds) if not bar.is_met]

    def test_one_of_twenty_may_be_beyond(self):
        near = [row("a", 76.5)] * 19
        self.assertEqual(self.missed(near + [row("b", 60)]), [])
        self.assertEqual(self.missed(near[1:] + [row("b", 60)]),
                         ["pictures within 1.5 points, %"])

    def test_time_and_memory_have_bars(self):
        self.assertEqual(self.missed([row("a", 75, peak=13 << 20)], 121),
                         ["processor time added at 1320 px, ms", "highest peak, MiB"])


class Table(unittest.TestCase):
    def test_pictures_beyond_the_tolerance_are_listed(self):
        text = markdown([row("a", 75), row("b", 70)], 75, 100, "thimble")
        self.assertIn("| b | 1320 | 70.0 | 70 |", text)
        self.assertNotIn("| a |", text)
        self.assertIn("**missed**", text)


if __name__ == "__main__":
    unittest.main()
