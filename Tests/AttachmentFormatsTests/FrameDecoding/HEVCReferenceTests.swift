import Testing

@testable import AttachmentFormats

@Suite("References of HEVC pictures", .timeLimit(.minutes(1)))
struct HEVCReferenceTests {
    /// Bits of a NAL unit behind a header of two bytes.
    private struct Syntax {
        private(set) var bits: [Bool] = []

        mutating func put(_ value: Int, _ count: Int) {
            for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
        }

        /// Unsigned Exp-Golomb numbers.
        mutating func golomb(_ values: Int...) {
            for value in values {
                let length = Int.bitWidth - (value + 1).leadingZeroBitCount
                put(value + 1, 2 * length - 1)
            }
        }

        var unit: [UInt8] {
            var unit: [UInt8] = [66, 1]
            let padded = bits + Array(repeating: false, count: 64)
            for start in stride(from: 0, to: padded.count - 7, by: 8) {
                let byte = padded[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
                if byte <= 3, unit.count > 3, unit.suffix(2) == [0, 0] { unit.append(3) }
                unit.append(UInt8(byte))
            }
            return unit
        }
    }

    /// A sequence of 64 × 64 pixels with order counts of four low bits.
    private func makeSequence(candidates: [Int], count: Int? = nil) -> HEVCSequence? {
        var syntax = Syntax()
        syntax.put(0, 8 + 48)
        syntax.put(0, 48)
        syntax.golomb(0, 1, 64, 64)
        syntax.put(0, 1)
        syntax.golomb(0, 0, 0)
        syntax.put(0, 1)
        syntax.golomb(4, 0, 0, 0, 1, 0, 1, 0, 0)
        syntax.put(0, 4)
        syntax.golomb(0)
        syntax.put(1, 1)
        syntax.golomb(count ?? candidates.count)
        for candidate in candidates { syntax.put(candidate << 1 | 1, 5) }
        return HEVCSequence(syntax.unit[...])
    }

    private func references(
        _ sequence: HEVCSequence, _ write: (inout Syntax) -> Void
    ) throws -> [HEVCLongTermReference]? {
        var syntax = Syntax()
        write(&syntax)
        var bits = SyntaxBits(nalUnit: syntax.unit[...])
        return HEVCLongTermReference.references(
            &bits, from: try #require(sequence.longTermCandidates),
            orderBits: sequence.pictureOrderBits)
    }

    @Test("High bits add up, apart for candidates of the sequence and for others")
    func parsing() throws {
        let sequence = try #require(makeSequence(candidates: [3, 5, 9]))
        let parsed = try #require(
            try references(sequence) { syntax in
                syntax.golomb(2, 3)
                // Candidate, presence of high bits and their difference.
                syntax.put(0b10_1, 3)
                syntax.golomb(4)
                syntax.put(0b00_1, 3)
                syntax.golomb(2)
                syntax.put(7 << 2 | 0b10, 6)
                syntax.put(8 << 2 | 0b11, 6)
                syntax.golomb(1)
                syntax.put(6 << 2 | 0b01, 6)
                syntax.golomb(2)
            })
        #expect(parsed.map(\.low) == [9, 3, 7, 8, 6])
        #expect(parsed.map(\.periodsBack) == [4, 6, nil, 1, 3])
    }

    @Test("Absurd numbers of references, candidates and periods are malformed")
    func absurd() throws {
        let most = (1 << 32) - 2
        #expect(makeSequence(candidates: [], count: most) == nil)
        #expect(makeSequence(candidates: Array(repeating: 1, count: 33)) == nil)
        let sequence = try #require(makeSequence(candidates: [3, 5, 9]))
        #expect(try references(sequence) { $0.golomb(most, most) } == nil)
        #expect(try references(sequence) { $0.golomb(0, 17) } == nil)
        let beyond = try references(sequence) { syntax in
            syntax.golomb(1, 0)
            syntax.put(0b11_0, 3)
        }
        #expect(beyond == nil, "the index of a fourth candidate")
        let far = try references(sequence) { syntax in
            syntax.golomb(0, 1)
            syntax.put(0b11, 6)
            syntax.golomb(most)
        }
        #expect(far == nil)
    }

    @Test("A long-term reference must be held, and identified by its low bits if these stand alone")
    func presence() throws {
        let sequence = try #require(makeSequence(candidates: []))
        let refresh = try #require(HEVCUnitHeader([20 << 1, 1]))
        let trailing = try #require(HEVCUnitHeader([1 << 1, 1]))
        func picture(_ count: Int, _ longTerm: (low: Int, periodsBack: Int?)...)
            -> HEVCSliceStart.PictureOrder
        {
            HEVCSliceStart.PictureOrder(
                low: count & 15, references: [],
                longTerm: longTerm.map { .init(low: $0.low, periodsBack: $0.periodsBack) })
        }
        var references = try #require(
            HEVCReferences().adding(picture(0), refresh, in: sequence))
        for count in [7, 14] {
            references = try #require(
                references.adding(picture(count, (0, nil)), trailing, in: sequence))
        }
        // The count 16 has the low bits of 0.
        #expect(references.adding(picture(16, (3, nil)), trailing, in: sequence) == nil)
        #expect(references.adding(picture(16, (0, 0)), trailing, in: sequence) == nil)
        let next = try #require(
            references.adding(picture(16, (0, 1), (14, 1)), trailing, in: sequence))
        #expect(next.adding(picture(17, (0, nil)), trailing, in: sequence) == nil, "ambiguous")
        #expect(next.adding(picture(17, (0, 1), (0, 0)), trailing, in: sequence) != nil)
        let five = (0..<5).map { _ in (low: 0, periodsBack: Optional(1)) }
        #expect(
            next.adding(
                HEVCSliceStart.PictureOrder(
                    low: 1, references: [],
                    longTerm: five.map { .init(low: $0.low, periodsBack: $0.periodsBack) }),
                trailing, in: sequence) == nil, "more than the decoded picture buffer holds")
    }
}
