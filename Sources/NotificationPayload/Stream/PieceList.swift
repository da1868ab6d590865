/// Pieces in the order of the stream, with neighbours that are passed on alike made one.
struct PieceList: Sendable {
    private var pieces: [PayloadSplitter.Piece] = []
    /// The bytes of the last piece, if it is one that others are added to.
    private var open: [UInt8] = []
    /// The lines of that piece; nil for white space and rests.
    private var lines: ClosedRange<Int>?

    mutating func add(_ piece: PayloadSplitter.Piece) {
        close()
        pieces.append(piece)
    }

    /// Adds bytes that nothing is said of.
    mutating func verbatim(_ bytes: ArraySlice<UInt8>) { open += bytes }

    /// Adds lines of which nothing is said but that they are refused.
    mutating func refusedLines(_ bytes: ArraySlice<UInt8>, _ numbers: ClosedRange<Int>) {
        if lines == nil { close() }
        open += bytes
        lines = (lines?.lowerBound ?? numbers.lowerBound)...numbers.upperBound
    }

    /// Gives the pieces away.
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
