"""Rewrites HEVC so that frames refer to long-term reference pictures, which x265 does not write.

Headers of slices grow by whole bytes, so that the coded data behind them stay aligned (H.265, 7.3.6.1).
"""

import copy
import re
import struct

import heifsequence

SEQUENCE_PARAMETERS = 33


class Bits:
    """Reads the bits of a NAL unit behind its header of two bytes."""

    def __init__(self, unit):
        raw = re.sub(b"\0\0\3", b"\0\0", unit[2:])
        self.text = "".join(f"{byte:08b}" for byte in raw)
        self.position = 0

    def u(self, count):
        self.position += count
        return int(self.text[self.position - count:self.position], 2)

    def ue(self):
        zeros = self.text.index("1", self.position) - self.position
        self.position += zeros
        return self.u(zeros + 1) - 1

    def unit(self, header):
        """The NAL unit, with emulation prevention bytes."""
        raw = bytes(int(self.text[place:place + 8], 2) for place in range(0, len(self.text), 8))
        return header + re.sub(b"\0\0(?=[\0-\3])", b"\0\0\3", raw)


def sequence_parameters(unit):
    """The set with long_term_ref_pics_present_flag and no candidates, and the bits of an order count."""
    bits = Bits(unit)
    bits.u(4)
    assert bits.u(3) == 0
    bits.u(1 + 96)
    bits.ue()
    assert bits.ue() < 3
    bits.ue(), bits.ue()
    if bits.u(1):
        for _ in range(4):
            bits.ue()
    bits.ue(), bits.ue()
    order_bits = bits.ue() + 4
    bits.u(1)
    for _ in range(3 + 6):
        bits.ue()
    # Scaling lists, asymmetric partitions, sample adaptive offset, PCM; then sets of references.
    assert bits.u(4) & 9 == 0
    assert bits.ue() == 0
    place = bits.position
    assert bits.u(1) == 0
    rest = bits.text[place + 1:].rstrip("0")
    bits.text = bits.text[:place] + "11" + rest
    bits.text += "0" * (-len(bits.text) % 8)
    return bits.unit(unit[:2]), order_bits


def slice_segment(unit, order_bits, targets):
    """The slice, which refers to the pictures of the counts `targets` alone.

    High bits of the count, equal to the picture's, are stated for all but the first.
    """
    bits = Bits(unit)
    assert bits.u(1) == 1
    bits.ue(), bits.ue()
    bits.u(order_bits)
    place = bits.position
    assert bits.u(1) == 0
    for _ in range(bits.ue() + bits.ue()):
        bits.ue(), bits.u(1)
    # A set of no short-term references; Exp-Golomb numbers of 1 and 2 have three bits.
    references = "011" + f"{len(targets) + 1:03b}"
    for number, target in enumerate(targets):
        references += f"{target:0{order_bits}b}" + "1" + ("11" if number else "0")
    assert (place + len(references) - bits.position) % 8 == 0
    bits.text = bits.text[:place] + references + bits.text[bits.position:]
    return bits.unit(unit[:2])


def rewrite(coded, targets):
    """The track whose frames after the first refer to the frames that `targets` counts."""
    coded = copy.copy(coded)
    configuration = coded.configuration
    for unit in heifsequence.parameter_sets(configuration):
        if unit[0] >> 1 & 63 == SEQUENCE_PARAMETERS:
            changed, order_bits = sequence_parameters(unit)
            configuration = configuration.replace(
                struct.pack(">H", len(unit)) + unit, struct.pack(">H", len(changed)) + changed)
    coded.configuration = configuration
    targets = iter(targets)
    coded.samples = [
        heifsequence.sample([
            slice_segment(unit, order_bits, next(targets))
            if unit[0] >> 1 & 63 < 16 else unit for unit in heifsequence.nal_units(data)])
        for data in coded.samples]
    return coded
