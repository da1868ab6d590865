/// Splits a stream into payloads: a single JSON document, or one document per line.
///
/// A document is an object, or an array of them, such as a batch of requests to a push provider.
///
/// The concatenated pieces are the stream, byte for byte. Bytes are parsed at most twice, an
/// array's bytes once more, and at most the byte limit of one document is buffered.
///
/// A line that opens an object or array without closing it starts a multi-line document. The stream
/// is in line mode after any of these:
/// - A line is a complete object.
/// - 1,000 consecutive lines were refused.
/// - A line without indentation begins an object or array that the multi-line document does not
///   allow. Up to 1,000 lines of that document are then processed one by one.
///
/// ```swift
/// var splitter = PayloadSplitter()
/// while let bytes = try input.read(upToCount: 65_536) {
///     for piece in splitter.append(bytes) { output(piece) }
/// }
/// for piece in splitter.finish() { output(piece) }
/// ```
public struct PayloadSplitter: Sendable {
    /// A part of the stream.
    public enum Piece: Sendable, Hashable {
        /// An object without surrounding white space, alone or in an array, and its first line, counted
        /// from 1.
        case document(JSONDocument, line: Int)
        /// Bytes that are not an object, and the reason, with the line of the fault.
        ///
        /// Of a document that is too large, or a damaged multi-line one, this is the beginning. The rest
        /// follows as ``verbatim(_:)``.
        case refused([UInt8], PayloadError)
        /// Further lines after 1,000 refused ones that are not objects either, with the white space
        /// between them, and their numbers, counted from 1.
        case refusedLines([UInt8], lines: ClosedRange<Int>)
        /// White space between documents, brackets and commas of an array, and the rest of a refused
        /// document.
        case verbatim([UInt8])
    }

    enum Form {
        /// No complete document yet.
        case unknown
        /// One document per line.
        case lines
        /// The rest of a refused document, up to the next line that is an object.
        case skipping
    }

    /// An incomplete multi-line document, whose bytes are in the parser.
    struct MultilineDocument {
        let line: Int
        var lines = 1
        /// True if a line after the first is an object by itself.
        var hasObject = false
    }

    /// Maximum number of consecutive refusals with a reason each, and of lines in a document that may
    /// prove to be separate documents.
    static let lineAllowance = 1_000

    let limits: JSONLimits
    var form = Form.unknown
    var multiline: MultilineDocument?
    var parser: JSONParser
    /// White space after the parser's bytes.
    var gap: [UInt8] = []
    private var partial: [UInt8] = []
    var line = 1
    var refusals = 0
    /// True while the rest of an oversized line is passed through.
    private var isSkippingLine = false
    var output = PieceList()
    /// Number of bytes parsed so far, for tests of linear time.
    package internal(set) var parsedBytes = 0

    /// Creates a splitter at the beginning of a stream.
    ///
    /// - Parameter limits: The limits for each document. The default is 16 MiB, 128 levels and
    ///   500,000 values.
    public init(limits: JSONLimits = JSONLimits()) {
        self.limits = limits
        parser = JSONParser(limits: limits)
    }

    /// Processes the next bytes of the stream.
    ///
    /// - Parameter bytes: The bytes, split anywhere.
    /// - Returns: The completed pieces, in the order of the stream.
    public mutating func append(_ bytes: some Collection<UInt8>) -> [Piece] {
        let chunk = Array(bytes)
        var start = 0
        while start < chunk.count {
            if isSummarising, isAtLineStart {
                start = skipInvalidLines(of: chunk, from: start)
                guard start < chunk.count else { break }
            }
            let feed = chunk[start...].firstIndex(of: UInt8(ascii: "\n"))
            let end = feed.map { $0 + 1 } ?? chunk.count
            appendToLine(chunk[start..<end], endsLine: feed != nil)
            start = end
        }
        return output.removeAll()
    }

    /// Ends the stream and resets the splitter.
    ///
    /// - Returns: The remaining pieces.
    public mutating func finish() -> [Piece] {
        let rest = partial
        if !rest.isEmpty { process(rest[...]) }
        if multiline != nil { endMultiline() }
        defer { self = PayloadSplitter(limits: limits) }
        return output.removeAll()
    }

    /// Number of bytes kept between calls, for tests of memory.
    package var keptBytes: Int { used + partial.count }

    var used: Int { multiline == nil ? 0 : parser.bytes.count + gap.count }

    /// Processes bytes of one line, with the line feed if they end it.
    private mutating func appendToLine(_ bytes: ArraySlice<UInt8>, endsLine: Bool) {
        if isSkippingLine {
            output.verbatim(bytes)
            isSkippingLine = !endsLine
            if endsLine { line += 1 }
        } else if partial.isEmpty, endsLine {
            process(bytes)
        } else {
            partial += bytes
            if endsLine {
                let whole = partial
                partial = []
                process(whole[...])
            } else if isTooLong(partial[...]) {
                refuseTooLarge(partial[...], line)
                partial = []
                isSkippingLine = true
            }
        }
    }

    private var isAtLineStart: Bool { partial.isEmpty && !isSkippingLine }

    /// True if a line, or its beginning, exceeds the byte limit of a document.
    ///
    /// The line ending, of up to two bytes, is not part of the document.
    func isTooLong(_ line: ArraySlice<UInt8>) -> Bool { used + line.count > limits.bytes + 2 }
}

extension PayloadSplitter.Piece {
    /// The error of refused bytes; nil for documents, white space and rests.
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
    /// The kind and length, without the private bytes.
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
