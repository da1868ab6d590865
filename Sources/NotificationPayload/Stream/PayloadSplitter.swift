/// Cuts a stream into JSON documents: one in all, perhaps over many lines, or one a line.
///
/// What comes out, written one behind the other, is what went in, byte for byte. Which of the two
/// forms a stream has is told from its first line that is not blank: a complete document means one
/// a line. Where the first line is damaged, the first later one that begins with a brace and is a
/// complete object means the same, so that a damaged line costs that notification alone. No more
/// than one document's limit of bytes is kept.
///
/// ```swift
/// var splitter = PayloadSplitter()
/// while let bytes = try input.read(upToCount: 65_536) {
///     for piece in splitter.append(bytes) { output(piece) }
/// }
/// for piece in splitter.finish() { output(piece) }
/// ```
public struct PayloadSplitter: Sendable {
    /// A stretch of the stream.
    public enum Piece: Sendable, Hashable {
        /// A document without the white space around it, and the line that it begins in, counted
        /// from 1.
        case document(JSONDocument, line: Int)
        /// What is no document, to be passed on as it is, and why, with the line of the fault.
        ///
        /// What is too large comes as its beginning here, and as ``verbatim(_:)`` for the rest.
        case refused([UInt8], PayloadError)
        /// White space between documents, and the rest of what was too large.
        case verbatim([UInt8])
    }

    /// What is known of the stream.
    private enum Form {
        /// Nothing yet: what is kept may be the beginning of a document of many lines.
        case unknown
        /// What is kept can be no document; it is damaged, or a line of it is.
        case damaged
        /// One document a line.
        case lines
        /// A document of many lines that is too large: all the rest passes.
        case tooLarge
    }

    private let limits: JSONLimits
    private var form = Form.unknown
    /// What is neither a piece yet nor passed on: in lines one of them, else one or more.
    private var kept: [UInt8] = []
    /// The line that `kept` begins in.
    private var line = 1
    /// The lines that are complete in `kept`.
    private var keptLines = 0
    /// How much of `kept` was tried as the beginning of a document.
    private var tried = 0
    /// Whether the rest of the line belongs to something too large.
    private var isPassing = false

    /// Makes a splitter at the beginning of a stream.
    ///
    /// - Parameter limits: What one document may cost. The default is 16 MiB, 128 levels and
    ///   500,000 values.
    public init(limits: JSONLimits = JSONLimits()) {
        self.limits = limits
    }

    /// Takes the next bytes of the stream.
    ///
    /// - Parameter bytes: The bytes, cut anywhere.
    /// - Returns: The pieces that are complete now, in the order of the stream.
    public mutating func append(_ bytes: some Collection<UInt8>) -> [Piece] {
        var pieces: [Piece] = []
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
            take(rest[..<end], into: &pieces)
            rest = rest[end...]
        }
        return pieces
    }

    /// Ends the stream.
    ///
    /// - Returns: The pieces that were not complete before. The splitter is at the beginning of
    ///   another stream then.
    public mutating func finish() -> [Piece] {
        defer { self = PayloadSplitter(limits: limits) }
        guard !kept.isEmpty else { return [] }
        if form == .lines { return pieces(of: kept[...], in: line) }
        let whole = pieces(of: kept[...], in: line)
        return whole.contains(where: \.isRefused) && hasObjectBehindFirstLine
            ? piecesOfLines : whole
    }

    /// Takes bytes with at most one line feed, at their end.
    private mutating func take(_ bytes: ArraySlice<UInt8>, into pieces: inout [Piece]) {
        let endsLine = bytes.last == UInt8(ascii: "\n")
        if isPassing || form == .tooLarge {
            pieces.append(.verbatim(Array(bytes)))
            isPassing = !endsLine
            if endsLine { line += 1 }
            return
        }
        // A line feed with its carriage return is not part of the document.
        let hasRoom = kept.count + bytes.count <= limits.bytes + 2
        if form == .damaged, !hasRoom, let last = kept.lastIndex(of: UInt8(ascii: "\n")) {
            pieces += self.pieces(of: kept[...last], in: line)
            let rest = kept[(last + 1)...]
            line += keptLines
            forget()
            return take(rest + bytes, into: &pieces)
        }
        guard hasRoom else {
            let error = JSONDocument.tooLarge(limits).inLine(line)
            pieces.append(.refused(kept + bytes, error))
            if form == .unknown { form = keptLines > 0 ? .tooLarge : .lines }
            isPassing = !endsLine
            line += keptLines + (endsLine ? 1 : 0)
            forget()
            return
        }
        kept += bytes
        if endsLine { endLine(into: &pieces) }
    }

    private mutating func endLine(into pieces: inout [Piece]) {
        keptLines += 1
        if keptLines == 1, kept.allSatisfy(\.isJSONWhiteSpace) {
            pieces.append(.verbatim(kept))
        } else {
            guard let complete = completePieces() else { return }
            pieces += complete
            form = .lines
        }
        line += keptLines
        forget()
    }

    /// What is kept as pieces, at the end of a line; nil when more must come first.
    private mutating func completePieces() -> [Piece]? {
        switch form {
        case .lines: return pieces(of: kept[...], in: line)
        case .unknown:
            // Three lines of one document each are never the beginning of a longer one. After that
            // what is twice as long is tried, so that all tries together stay linear.
            guard keptLines <= 4 || kept.count >= 2 * tried else { return nil }
            tried = kept.count
            let whole = pieces(of: kept[...], in: line)
            guard whole.contains(where: \.isRefused) else { return whole }
            if whole.contains(where: \.isTruncated) { return nil }
            if hasObjectBehindFirstLine { return piecesOfLines }
            form = .damaged
            return nil
        case .damaged: return isObject(lastLine) ? piecesOfLines : nil
        case .tooLarge: return nil
        }
    }

    private mutating func forget() {
        kept.removeAll(keepingCapacity: true)
        keptLines = 0
        tried = 0
    }
}

extension PayloadSplitter {
    /// A document, or what is none, with the white space around it.
    private func pieces(of bytes: ArraySlice<UInt8>, in line: Int) -> [Piece] {
        guard let start = bytes.firstIndex(where: { !$0.isJSONWhiteSpace }),
            let last = bytes.lastIndex(where: { !$0.isJSONWhiteSpace })
        else { return bytes.isEmpty ? [] : [.verbatim(Array(bytes))] }
        let core = bytes[start...last]
        let piece: Piece
        do {
            piece = .document(try JSONDocument(parsing: core, limits: limits), line: line)
        } catch {
            let before = bytes[..<min(start + (error.offset ?? 0), bytes.endIndex)]
            let fault = line + before.count { $0 == UInt8(ascii: "\n") }
            piece = .refused(Array(core), error.inLine(fault))
        }
        return [.verbatim(Array(bytes[..<start])), piece, .verbatim(Array(bytes[(last + 1)...]))]
            .filter { $0 != .verbatim([]) }
    }

    /// What is kept, line by line.
    private var piecesOfLines: [Piece] {
        lines.enumerated().flatMap { pieces(of: $1, in: line + $0) }
    }

    /// The lines that are kept, with their line feeds.
    private var lines: [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = kept[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
            lines.append(rest[..<end])
            rest = rest[end...]
        }
        return lines
    }

    private var hasObjectBehindFirstLine: Bool { lines.dropFirst().contains(where: isObject) }

    /// Whether a line begins with a brace, not indented, and is a whole object.
    private func isObject(_ line: ArraySlice<UInt8>) -> Bool {
        line.first == UInt8(ascii: "{")
            && (try? JSONDocument(parsing: line, limits: limits)) != nil
    }

    private var lastLine: ArraySlice<UInt8> {
        let start = kept.dropLast().lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return kept[start...]
    }
}

extension PayloadSplitter.Piece {
    /// The bytes of the stream.
    public var bytes: [UInt8] {
        switch self {
        case .document(let document, line: _): document.bytes
        case .refused(let bytes, _), .verbatim(let bytes): bytes
        }
    }

    fileprivate var isRefused: Bool {
        guard case .refused = self else { return false }
        return true
    }

    fileprivate var isTruncated: Bool {
        guard case .refused(_, let error) = self else { return false }
        return error.code == .truncated
    }
}

extension PayloadSplitter.Piece: CustomStringConvertible {
    /// What it is and how long, without the bytes, which are private.
    public var description: String {
        switch self {
        case .document(let document, let line): "\(document) in line \(line)"
        case .refused(let bytes, let error): "\(bytes.count) bytes refused: \(error)"
        case .verbatim(let bytes): "\(bytes.count) bytes"
        }
    }
}
