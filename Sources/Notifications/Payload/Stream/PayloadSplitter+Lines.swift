extension PayloadSplitter {
    /// Processes the next line, alone or as part of a multi-line document.
    ///
    /// The line includes its line feed, except possibly at the end of the stream.
    mutating func process(_ line: ArraySlice<UInt8>) {
        let number = self.line
        self.line += 1
        guard let trimmed = line.withoutWhiteSpace else {
            if multiline == nil {
                output.verbatim(line)
            } else {
                continueMultiline(with: line, line.prefix(0), number)
            }
            return
        }
        guard !isTooLong(line), used + trimmed.count <= limits.bytes else {
            return refuseTooLarge(line, number)
        }
        if multiline != nil {
            continueMultiline(with: line, trimmed, number)
        } else if form == .skipping {
            guard line.mayBeObject, let pieces = object(trimmed, number) else {
                return output.verbatim(line)
            }
            accept(pieces, of: line, trimmed)
        } else {
            processSingleLine(line, trimmed, number)
        }
    }

    /// True after enough consecutive refusals that later lines are reported only in summary.
    var isSummarising: Bool { form == .lines && refusals >= Self.lineAllowance }

    /// Skips lines that cannot be objects, by their last byte and their first member.
    ///
    /// Returns the offset after those lines.
    mutating func skipInvalidLines(of chunk: [UInt8], from start: Int) -> Int {
        let (end, lines) = chunk.withUnsafeBufferPointer { bytes in
            var (end, lines) = (start, 0)
            var (first, last): (UInt8?, UInt8?) = (nil, nil)
            for index in start..<bytes.count {
                let byte = bytes[index]
                if byte == UInt8(ascii: "\n") {
                    let mayBeObject =
                        first == UInt8(ascii: "{") && last == UInt8(ascii: "}")
                        && !bytes[end..<index].hasMalformedFirstMember
                    guard !mayBeObject, index - end <= limits.bytes else { break }
                    (end, lines) = (index + 1, lines + 1)
                    (first, last) = (nil, nil)
                } else if !byte.isJSONWhiteSpace {
                    if first == nil { first = byte }
                    last = byte
                }
            }
            return (end, lines)
        }
        guard lines > 0 else { return start }
        output.refusedLines(chunk[start..<end], line...(line + lines - 1))
        line += lines
        return end
    }

    private mutating func processSingleLine(
        _ line: ArraySlice<UInt8>, _ trimmed: ArraySlice<UInt8>, _ number: Int
    ) {
        do throws(PayloadError) {
            parser.reset()
            parser.isTerse = isSummarising
            defer { parser.isTerse = false }
            parser.append(trimmed)
            try read(trimmed)
            guard parser.isComplete else {
                guard form == .unknown else { throw parser.truncation }
                multiline = MultilineDocument(line: number)
                output.verbatim(line[..<trimmed.startIndex])
                gap = Array(line[trimmed.endIndex...])
                return
            }
            accept(try takePieces(line: number), of: line, trimmed)
        } catch {
            refusals += 1
            guard refusals <= Self.lineAllowance else {
                return output.refusedLines(line, number...number)
            }
            if refusals == Self.lineAllowance { form = .lines }
            output.verbatim(line[..<trimmed.startIndex])
            output.add(.refused(Array(trimmed), error.inLine(number)))
            output.verbatim(line[trimmed.endIndex...])
        }
    }

    private mutating func accept(
        _ pieces: [Piece], of line: ArraySlice<UInt8>, _ trimmed: ArraySlice<UInt8>
    ) {
        form = .lines
        refusals = 0
        output.verbatim(line[..<trimmed.startIndex])
        output.add(pieces)
        output.verbatim(line[trimmed.endIndex...])
    }

    /// Refuses a line, or its beginning, together with the multi-line document that it continues.
    mutating func refuseTooLarge(_ line: ArraySlice<UInt8>, _ number: Int) {
        let error = JSONDocument.tooLarge(limits).inLine(multiline?.line ?? number)
        if multiline != nil {
            output.add(.refused(parser.bytes + gap + line, error))
            resetMultiline()
            form = .skipping
        } else {
            refusals += 1
            output.add(.refused(Array(line), error))
        }
    }

    mutating func read(_ part: ArraySlice<UInt8>) throws(PayloadError) {
        parsedBytes += part.count
        try parser.read()
    }

    /// Returns the pieces of the parser's complete document, and resets the parser.
    mutating func takePieces(line: Int) throws(PayloadError) -> [Piece] {
        let document = JSONDocument(parser, limits: limits)
        // The document owns the memory.
        parser = JSONParser(limits: limits)
        return try Self.pieces(of: document, line: line)
    }

    private mutating func object(_ trimmed: ArraySlice<UInt8>, _ line: Int) -> [Piece]? {
        parser.reset()
        parser.append(trimmed)
        guard (try? read(trimmed)) != nil, parser.isComplete else { return nil }
        return try? takePieces(line: line)
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// True if the bytes from the opening brace to the start of the first value break the grammar.
    ///
    /// The parser takes five times as long for a short line, because it notes every value.
    fileprivate var hasMalformedFirstMember: Bool {
        var rest = self
        func skipWhiteSpace() { while rest.first?.isJSONWhiteSpace == true { rest.removeFirst() } }
        skipWhiteSpace()
        rest.removeFirst()
        skipWhiteSpace()
        guard rest.first != UInt8(ascii: "}") else { return false }
        guard rest.popFirst() == UInt8(ascii: "\"") else { return true }
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\") { return false }
        }
        skipWhiteSpace()
        guard rest.popFirst() == UInt8(ascii: ":") else { return true }
        skipWhiteSpace()
        guard let value = rest.first else { return true }
        return !value.isDigit && !#"{["-tfn"#.utf8.contains(value)
    }
}

extension ArraySlice<UInt8> {
    fileprivate var withoutWhiteSpace: ArraySlice<UInt8>? {
        var (start, end) = (startIndex, endIndex)
        while start < end, self[start].isJSONWhiteSpace { start += 1 }
        guard start < end else { return nil }
        while self[end - 1].isJSONWhiteSpace { end -= 1 }
        return self[start..<end]
    }

    /// True if the first byte and the last non-space byte are an object's braces.
    var mayBeObject: Bool {
        first == UInt8(ascii: "{") && last { !$0.isJSONWhiteSpace } == UInt8(ascii: "}")
    }

    var beginsContainer: Bool { first == UInt8(ascii: "{") || first == UInt8(ascii: "[") }
}
