internal import AttachmentContainer
internal import AttachmentModel

/// Tiles that two threads decode, each the next one that no thread has begun.
///
/// The frames and the fault are the same as of one thread: tiles are begun in order, and of several
/// faults the first tile's counts.
final class TilePair: Sendable {
    // Sendable: the thread that decoded the frame gives it up when it ends, and the caller reads it then.
    private struct Frame: @unchecked Sendable {
        let frame: DecodedFrame?
    }

    private struct State {
        var next = 0
        var frames: [Int: Frame] = [:]
        var fault: (index: Int, fault: DecodingFault)?
    }

    private let tiles: [CodedMosaic.Tile]
    private let decoder: TileDecoder
    private let state = Lock(State())

    private init(_ tiles: [CodedMosaic.Tile], _ decoder: TileDecoder) {
        (self.tiles, self.decoder) = (tiles, decoder)
    }

    /// Decodes tiles on the calling thread and on one more; nil for each that is skipped.
    static func decode(
        _ tiles: [CodedMosaic.Tile], by decoder: TileDecoder
    ) throws(DecodingFault) -> [DecodedFrame?] {
        let pair = TilePair(tiles, decoder)
        SmallThread.runPair(stackBytes: DataLimit.threadStack) { pair.decode() }
        return try pair.frames()
    }

    /// Decodes tiles until none is left, or one fails.
    private func decode() {
        while let index = next() {
            let result = Result { () throws(DecodingFault) in
                Frame(frame: try decoder.decode(tiles[index]))
            }
            state.withLock { state in
                switch result {
                case .success(let frame): state.frames[index] = frame
                case .failure(let fault):
                    if state.fault.map({ index < $0.index }) ?? true {
                        state.fault = (index, fault)
                    }
                }
            }
        }
    }

    private func next() -> Int? {
        state.withLock { state in
            guard state.fault == nil, state.next < tiles.count else { return nil }
            state.next += 1
            return state.next - 1
        }
    }

    private func frames() throws(DecodingFault) -> [DecodedFrame?] {
        let (fault, frames) = state.withLock { ($0.fault?.fault, $0.frames) }
        if let fault { throw fault }
        return tiles.indices.map { frames[$0]?.frame }
    }
}
