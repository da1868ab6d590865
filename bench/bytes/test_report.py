"""Tests of the search for equal scores, the bars and the tables."""

import unittest

import search
from names import BEST, DEFAULT, JPEGLI, MOZJPEG
from report import Row, bars, markdown


def row(name: str, kind: str, own: float, cost: float = 0.9) -> Row:
    """A picture of which all but the default's figures are fixed."""
    ratios = {DEFAULT: (own, 0.87), BEST: (0.79, 0.84), JPEGLI: (0.9, 0.9), MOZJPEG: (0.87, 0.9)}
    return Row(name, kind, (1320, 880), 200_000, 79.5, ratios, 0.9, 1.5,
               {"libjpeg": 2.0, "standard": 2 * cost, "best": 5.0, "bestMemory": 420_000,
                "library": "libjpeg-turbo"})


class Bars(unittest.TestCase):
    def missed(self, *rows: Row) -> list[str]:
        return [bar.name for bar in bars(list(rows)) if not bar.is_met]

    def test_figures_up_to_their_bounds_are_met(self):
        self.assertEqual(self.missed(row("a", "photograph", 0.85), row("b", "graphic", 2)), [])

    def test_missed_bars_are_named(self):
        found = self.missed(row("a", "photograph", 0.81), row("b", "photograph", 0.93))
        self.assertEqual(
            found, ["default, photographs, mean", "default, photographs, worst"])
        found = self.missed(row("a", "photograph", 0.85, cost=1.2))
        self.assertEqual(found, ["default, CPU by libjpeg-turbo's"])


class Search(unittest.TestCase):
    def found(self, target: float, slope: float, start: int = 80) -> tuple[float, int]:
        rounds = []

        def encode(_, quality):
            rounds.append(quality)
            return bytes(1000 + 10 * quality * quality)

        def measure(_, jpeg):
            return 40 + slope * ((len(jpeg) - 1000) / 10) ** 0.5
        found = search.equal_bytes(encode, measure, None, target, start)
        return found, len(rounds)

    def test_the_length_is_interpolated_between_two_qualities(self):
        for slope in (0.3, 0.5, 0.7):
            for quality in (31.4, 57.5, 79.9, 90.2):
                found, rounds = self.found(40 + slope * quality, slope)
                self.assertAlmostEqual(found / (1000 + 10 * quality ** 2), 1, delta=0.003)
                self.assertLessEqual(rounds, search.MOST_ROUNDS)

    def test_scores_beyond_the_qualities_take_the_last_one(self):
        self.assertEqual(self.found(200, 0.5)[0], 1000 + 10 * 99 ** 2)


class Tables(unittest.TestCase):
    def test_rows_have_the_columns_of_their_header(self):
        text = markdown([row("a", "photograph", 0.93), row("b", "graphic", 0.8)], "libjpeg")
        columns = None
        for line in text.splitlines():
            count = line.count("|")
            self.assertTrue(columns is None or not count or count == columns, line)
            columns = count or None
        self.assertIn("| **missed** |", text)
        self.assertIn("| a | photograph | 200 | 79.5 | 0.930 | 0.790 |", text)


if __name__ == "__main__":
    unittest.main()
