/// Pieces in stream order; adjacent pieces of unparsed bytes are merged.
struct PieceList: Sendable {
    private var pieces: [PayloadSplitter.Piece] = []
    /// The bytes of the last piece while it may grow.
    private var open: [UInt8] = []
    /// The lines of that piece; nil for verbatim bytes.
    private var lines: ClosedRange<Int>?

    mutating func add(_ piece: PayloadSplitter.Piece) {
        close()
        pieces.append(piece)
    }

    mutating func add(_ pieces: [PayloadSplitter.Piece]) {
        for piece in pieces {
            if case .verbatim(let bytes) = piece { verbatim(bytes[...]) } else { add(piece) }
        }
    }

    mutating func verbatim(_ bytes: ArraySlice<UInt8>) { open += bytes }

    mutating func refusedLines(_ bytes: ArraySlice<UInt8>, _ numbers: ClosedRange<Int>) {
        if lines == nil { close() }
        open += bytes
        lines = (lines?.lowerBound ?? numbers.lowerBound)...numbers.upperBound
    }

    mutating func removeAll() -> [PayloadSplitter.Piece] {
        close()
        defer { pieces = [] }
        return pieces
    }

    private mutating func close() {
        guard !open.isEmpty else { return }
        pieces.append(lines.map { .refusedLines(open, lines: $0) } ?? .verbatim(open))
        open = []
        lines = nil
    }
}
