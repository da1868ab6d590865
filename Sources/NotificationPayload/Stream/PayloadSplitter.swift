/// Cuts a stream into payloads: one JSON document in all, perhaps over many lines, or one a line.
///
/// The bytes of the pieces, one behind the other, are those of the stream. Every byte is parsed once,
/// and no more than one document's limit of bytes is kept.
///
/// The first line that opens an object or array and does not close it begins a document of many lines.
/// The stream has one document a line once a line is a complete object, once 1,000 lines in succession
/// were refused, or once a line begins, without indentation, an object or array where the document of
/// many lines allows none. In the last case the lines of that document, up to 1,000 of them, are
/// judged one by one.
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
        /// An object without the white space around it, and the line that it begins in, counted
        /// from 1.
        case document(JSONDocument, line: Int)
        /// Bytes that are no object, to be passed on as they are, and the reason, with the line of
        /// the fault.
        ///
        /// A document that is too large, or a damaged one of many lines, comes as its beginning here,
        /// and as ``verbatim(_:)`` for the rest.
        case refused([UInt8], PayloadError)
        /// Lines behind 1,000 refused ones that are no objects either, with the white space between
        /// them, and their numbers, counted from 1.
        case refusedLines([UInt8], lines: ClosedRange<Int>)
        /// White space between documents, and the rest of a refused document.
        case verbatim([UInt8])
    }

    /// The form of the stream, as far as it is known.
    enum Form {
        /// No document was complete yet.
        case unknown
        /// One document a line.
        case lines
        /// The rest of a refused document, up to a line that is an object.
        case skipping
    }

    /// A document of many lines that is not complete yet; the parser has its bytes.
    struct Unit {
        /// The number of its first line.
        let line: Int
        /// The lines so far.
        var lines = 1
        /// Whether a line behind the first is an object by itself.
        var hasObject = false
    }

    /// Lines that are refused with a reason each, in succession, and lines of one document that may
    /// turn out to be documents of their own.
    static let lineAllowance = 1_000

    let limits: JSONLimits
    var form = Form.unknown
    var unit: Unit?
    /// The parser of the unit or of one line.
    var parser: JSONParser
    /// White space behind the bytes that the parser has.
    var gap: [UInt8] = []
    /// The beginning of a line whose end has not come yet.
    private var partial: [UInt8] = []
    /// The number of the next line.
    var line = 1
    /// The lines refused in succession.
    var refusals = 0
    /// Whether the rest of the line belongs to something too large.
    private var isPassing = false
    var output = PieceList()
    /// The bytes that were parsed so far, for tests of linear time.
    package internal(set) var parsedBytes = 0

    /// Makes a splitter at the beginning of a stream.
    ///
    /// - Parameter limits: What one document may cost. The default is 16 MiB, 128 levels and
    ///   500,000 values.
    public init(limits: JSONLimits = JSONLimits()) {
        self.limits = limits
        parser = JSONParser(limits: limits)
    }

    /// Takes the next bytes of the stream.
    ///
    /// - Parameter bytes: The bytes, cut anywhere.
    /// - Returns: The pieces that are complete now, in the order of the stream.
    public mutating func append(_ bytes: some Collection<UInt8>) -> [Piece] {
        let chunk = Array(bytes)
        var start = 0
        while start < chunk.count {
            if isSilent, isAtLineStart {
                start = passGarbage(of: chunk, from: start)
                guard start < chunk.count else { break }
            }
            let feed = chunk[start...].firstIndex(of: UInt8(ascii: "\n"))
            let end = feed.map { $0 + 1 } ?? chunk.count
            take(chunk[start..<end], isWhole: feed != nil)
            start = end
        }
        return output.removeAll()
    }

    /// Ends the stream.
    ///
    /// - Returns: The pieces that were not complete before. The splitter is at the beginning of
    ///   another stream then.
    public mutating func finish() -> [Piece] {
        let rest = partial
        if !rest.isEmpty { judge(rest[...]) }
        if unit != nil { endUnit() }
        defer { self = PayloadSplitter(limits: limits) }
        return output.removeAll()
    }

    /// The bytes that are kept between calls, for tests of memory.
    package var keptBytes: Int { used + partial.count }

    /// The bytes of the document of many lines.
    var used: Int { unit == nil ? 0 : parser.bytes.count + gap.count }

    /// Takes bytes of one line, with the line feed if they are its last ones.
    private mutating func take(_ bytes: ArraySlice<UInt8>, isWhole: Bool) {
        if isPassing {
            output.verbatim(bytes)
            isPassing = !isWhole
            if isWhole { line += 1 }
        } else if partial.isEmpty, isWhole {
            judge(bytes)
        } else {
            partial += bytes
            if isWhole {
                let whole = partial
                partial = []
                judge(whole[...])
            } else if isTooLong(partial[...]) {
                refuseTooLarge(partial[...], line)
                partial = []
                isPassing = true
            }
        }
    }

    private var isAtLineStart: Bool { partial.isEmpty && !isPassing }

    /// Whether a line, or its beginning, has no room in a document.
    ///
    /// The line feed with its carriage return is not part of the document.
    func isTooLong(_ line: ArraySlice<UInt8>) -> Bool { used + line.count > limits.bytes + 2 }
}

extension PayloadSplitter.Piece {
    /// The reason why the bytes are passed on as they are; nil for documents, white space and rests.
    public var refusal: PayloadError? {
        switch self {
        case .refused(_, let error): error
        case .refusedLines(_, let lines):
            PayloadError(
                .wrongShape, line: lines.lowerBound,
                reason: lines.count == 1
                    ? "the line is not an object"
                    : "the lines from here to \(lines.upperBound) are not objects")
        case .document, .verbatim: nil
        }
    }

    /// The bytes of the stream.
    public var bytes: [UInt8] {
        switch self {
        case .document(let document, line: _): document.bytes
        case .refused(let bytes, _), .refusedLines(let bytes, lines: _), .verbatim(let bytes): bytes
        }
    }
}

extension PayloadSplitter.Piece: CustomStringConvertible {
    /// The kind and length, without the bytes, which are private.
    public var description: String {
        switch self {
        case .document(let document, let line): "\(document) in line \(line)"
        case .refused(let bytes, let error): "\(bytes.count) bytes refused: \(error)"
        case .refusedLines(let bytes, let lines):
            "\(bytes.count) bytes refused in lines \(lines.lowerBound) to \(lines.upperBound)"
        case .verbatim(let bytes): "\(bytes.count) bytes"
        }
    }
}
