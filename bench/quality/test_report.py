"""Tests of the verdict and the tables."""

import unittest

from candidates import PEERS, THIMBLE, VIPSTHUMBNAIL
from report import Row, Score, failures, markdown


def row(name: str, width: int, own: float, other: float = 79, **peers: float) -> Row:
    """A row whose references score 80."""
    scores = {THIMBLE: own, VIPSTHUMBNAIL: other} | peers
    return Row(name, width, Score(80, 40), Score(80, 40), {tool: Score(s, 39) for tool, s in scores.items()})


class Verdict(unittest.TestCase):
    def test_losses_up_to_the_limit_pass(self):
        self.assertEqual(failures([row("a", 300, 79.5), row("a", 400, 79)], {}, 1), [])

    def test_a_larger_loss_is_named_with_its_width(self):
        found = failures([row("a", 300, 79.5), row("a", 400, 77.5), row("b", 300, 80)], {}, 1)
        self.assertEqual(found, ["a at 400 px: 2.50"])

    def test_a_listed_loss_passes_until_it_is_gone(self):
        listed = {"a": "grain", "elsewhere": "not in this run"}
        self.assertEqual(failures([row("a", 300, 78, other=70)], listed, 1), [])
        found = failures([row("a", 300, 79.5)], listed, 1)
        self.assertEqual(found, ["a: stale exception, remove it"])

    def test_the_median_must_reach_that_of_vipsthumbnail(self):
        found = failures([row("a", 300, 79.5, other=79.9)], {}, 1)
        self.assertTrue(found[0].startswith("the median loss is above"))


class Loss(unittest.TestCase):
    def test_each_tool_is_compared_with_its_own_encoder(self):
        scored = row("a", 300, 79.5, other=79)
        scored.own_reference = Score(81, 40)
        self.assertEqual((scored.loss(THIMBLE), scored.loss(VIPSTHUMBNAIL)), (1.5, 1))


class Tables(unittest.TestCase):
    def test_rows_have_the_columns_of_their_header(self):
        peer = next(iter(PEERS))
        rows = [row("a", 300, 79.5), row("a", 720, 78, **{peer: 70}), row("b", 300, 80)]
        rows[1].scores |= {name: Score(70, 39) for name in list(PEERS)[:2]}
        text = markdown(rows, {"a": "grain"}, 1, {peer: "libvips 8.18.7"})
        columns = None
        for line in text.splitlines():
            count = line.count("|")
            self.assertTrue(columns is None or not count or count == columns, line)
            columns = count or None
        self.assertIn("| a | 80.0 | 1.25 | 2.00 at 720 | 39.0 |", text)
        self.assertIn(f"| {peer} (libvips 8.18.7) | 10.00 | 10.00 at 720 | 39.0 | 1 of 1 |", text)
        self.assertIn("- a: grain", text)


if __name__ == "__main__":
    unittest.main()
