/// The first run over the image data, which finds where each pass begins and keeps the state of
/// inflating there.
///
/// The passes follow each other in one stream that can be entered nowhere (PNG specification, 10.3),
/// but a state that was copied can go on. The run ends where the last pass begins, which has half
/// of the picture, and hands its own state to it: who reads that pass makes the checks of the whole.
final class PassScan {
    /// Bytes that one step inflates at most: two milliseconds' worth.
    static let stepBytes = 512 << 10
    /// Bytes of the room that they are inflated into, and forgotten.
    static let scratchBytes = 64 << 10

    /// An inflater at the start of each pass; nil for passes without pixels, and for those that a
    /// damaged file does not reach.
    private var starts: [ImageDataInflater?]
    /// The one that read farthest, and checks.
    let inflater: ImageDataInflater
    private let passes: [Adam7.Pass]
    private var next: Int
    private let last: Int
    /// Bytes to the start of the next pass.
    private var distance = 0

    /// Begins a run.
    ///
    /// - Parameters:
    ///   - passes: The seven passes of the picture.
    ///   - inflater: Stands at the start of the image data.
    init(passes: [Adam7.Pass], inflater: ImageDataInflater) {
        self.passes = passes
        self.inflater = inflater
        starts = passes.map { _ in nil }
        // The first pass has the first pixel.
        next = 0
        last = passes.lastIndex { $0.byteCount > 0 } ?? 0
    }

    /// The rows of each pass, from the starts that were found.
    ///
    /// - Parameters:
    ///   - header: The picture.
    ///   - isTolerant: Whether rows may be missing.
    /// - Returns: Seven passes; nil for those without rows.
    func rows(of header: PNGImageHeader, isTolerant: Bool) -> [PassRows?] {
        zip(passes, starts).map { pass, start in
            start.map { PassRows(pass, of: header, inflater: $0, isTolerant: isTolerant) }
        }
    }

    /// Goes on by a step.
    ///
    /// - Returns: Whether the run is at its end.
    /// - Throws: Damage, in a file that must not have any; `unreadable`.
    ///   is no memory.
    func advance() throws(DecodingFault) -> Bool {
        var budget = Self.stepBytes
        while budget > 0 {
            if distance == 0 {
                if next == last {
                    starts[next] = inflater
                    return true
                }
                if passes[next].byteCount > 0 {
                    starts[next] = ImageDataInflater(copying: inflater)
                }
                distance = passes[next].byteCount
                next += 1
                continue
            }
            let wanted = min(distance, budget, Self.scratchBytes)
            let got = try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: wanted) {
                (scratch) throws(DecodingFault) in try inflater.read(into: scratch)
            }
            guard got == wanted else { return true }
            (distance, budget) = (distance - got, budget - got)
        }
        return false
    }
}
