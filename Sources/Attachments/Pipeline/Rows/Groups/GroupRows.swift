import AttachmentFormats
import AttachmentModel

/// Planes of a JPEG whose groups between restart markers two decoders decode at the same time.
///
/// The rows are those of one decoder. After any fault, one decoder reads the file from its beginning,
/// goes on where the two have ended, and judges the fault: errors and notes are the same too.
final class GroupRows: PlaneRows {
    let layout: PlaneLayout
    let profile: [UInt8]?
    private let makeOne: () throws(DecodingFault) -> JPEGPlaneRows
    private var pair: GroupPair?
    private var one: JPEGPlaneRows?
    /// Rows of each plane that the pair has passed on, and that the one decoder has yet to repeat.
    private var passed: [Int]

    /// Reads the whole file for its markers, and starts the other thread; nil if one decoder is to read
    /// the picture.
    ///
    /// `makeOne` opens the one decoder.
    init?(
        _ file: AttachmentFile, of header: AttachmentHeader, loadShrink: Int,
        isCancelled: () -> Bool = { false },
        makeOne: @escaping () throws(DecodingFault) -> JPEGPlaneRows
    ) {
        guard !file.isEncrypted,
            let index = JPEGRestartIndex(file.openFile, of: header, isCancelled: isCancelled)
        else { return nil }
        do throws(DecodingFault) {
            let decoder = try GroupDecoder(
                file, index, loadShrink: loadShrink, keepsProfile: header.profileBytes > 0)
            let helper = try GroupDecoder(file, index, loadShrink: loadShrink, keepsProfile: false)
            // The layouts differ if the file was changed meanwhile.
            guard !decoder.rows.hasFaults, !helper.rows.hasFaults,
                decoder.rows.layout.hasRows(of: helper.rows.layout)
            else { return nil }
            (layout, profile) = (decoder.rows.layout, decoder.rows.profile)
            pair = GroupPair(index.groups, decoder, helper)
        } catch {
            return nil
        }
        self.makeOne = makeOne
        passed = layout.planes.map { _ in 0 }
        pair?.start()
    }

    func next(_ row: (Int, UnsafeRawPointer) -> Void) throws(DecodingFault) -> Bool {
        if let pair {
            let outcome = pair.next { plane, samples in
                passed[plane] += 1
                row(plane, samples)
            }
            switch outcome {
            case .rows: return true
            case .end, .fault:
                pair.end()
                self.pair = nil
                guard outcome == .fault else { return false }
                let one = try makeOne()
                guard one.layout.hasRows(of: layout) else {
                    throw DecodingFault(.unreadable, at: 0, "it was changed while it was read")
                }
                self.one = one
            }
        }
        return try one?.next { plane, samples in
            if passed[plane] > 0 {
                passed[plane] -= 1
            } else {
                row(plane, samples)
            }
        } ?? false
    }

    deinit { pair?.end() }
}
