/// First run over the image data: stores the passes, and the inflater state at the start of each.
///
/// The passes share one stream without entry points (PNG specification, 10.3), but a copied state
/// can resume, where there is no scratch file for the inflated rows. A copy is released when its
/// pass is stored. The run stops at the last pass, which holds half of the image, and hands over its
/// own inflater. Reading that pass therefore completes the checks of the whole stream.
final class PassScan {
    /// Bytes inflated per step at most: about 2 ms.
    static let stepBytes = 512 << 10

    /// Stored rows of each pass, or an inflater at its start; nil if the pass is empty or a damaged
    /// file ends before it.
    private var starts: [(any FilteredData)?]
    /// The inflater that has read farthest, and that checks the stream.
    let inflater: ImageDataInflater
    private let header: PNGImageHeader
    private let passes: [Adam7.Pass]
    // The first pass is never empty.
    private var next = 0
    private let last: Int
    private var distance = 0
    /// Filtered rows of all passes but the last; nil without room for them.
    private var store: ScratchFile?
    private var storedBytes = 0

    init(_ header: PNGImageHeader, inflater: ImageDataInflater, scratch: ScratchSpace?) {
        (self.header, self.inflater) = (header, inflater)
        store = scratch.map { ScratchFile(in: $0) }
        passes = Adam7.passes(width: header.width, height: header.height)
        starts = passes.map { _ in nil }
        last = passes.lastIndex { $0.byteCount(in: header) > 0 } ?? 0
    }

    func rows(isTolerant: Bool) -> [PNGFilteredRows?] {
        zip(passes, starts).map { pass, start in
            start.map { PNGFilteredRows($0, pass, of: header, endsAtUnknownFilter: isTolerant) }
        }
    }

    private func add(_ bytes: UnsafeBufferPointer<UInt8>) throws(DecodingFault) {
        do throws(DecodingFault) {
            try store?.write(UnsafeRawBufferPointer(bytes), at: storedBytes)
            storedBytes += bytes.count
        } catch {
            guard error.isLackOfRoom else { throw error }
            store = nil
        }
    }

    /// Replaces the inflater of a pass by its stored rows, if all are stored.
    private func releaseCopy(of pass: Int) {
        guard let store, let start = starts[pass] else { return }
        let first = storedBytes - passes[pass].byteCount(in: header)
        starts[pass] = StoredPass(store, first..<storedBytes, at: start.offset)
    }

    /// Advances by one step; returns true at the end of the run.
    func advance() throws(DecodingFault) -> Bool {
        var budget = Self.stepBytes
        while budget > 0 {
            if distance == 0 {
                if next == last {
                    starts[next] = inflater
                    return true
                }
                distance = passes[next].byteCount(in: header)
                if distance > 0 { starts[next] = try ImageDataInflater(copying: inflater) }
                next += 1
                continue
            }
            let got = try inflater.readNext(atMost: min(distance, budget)) {
                (bytes) throws(DecodingFault) in try add(bytes)
            }
            guard got > 0 else { return true }
            (distance, budget) = (distance - got, budget - got)
            if distance == 0 { releaseCopy(of: next - 1) }
        }
        return false
    }
}
