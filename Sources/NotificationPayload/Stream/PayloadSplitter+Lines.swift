extension PayloadSplitter {
    /// Judges the next line, by itself or as part of the document of many lines.
    ///
    /// - Parameter line: The line with its line feed; at the end of the stream perhaps without.
    mutating func judge(_ line: ArraySlice<UInt8>) {
        let number = self.line
        self.line += 1
        guard let core = line.withoutWhiteSpace else {
            if unit == nil {
                output.verbatim(line)
            } else {
                continueUnit(with: line, line.prefix(0), number)
            }
            return
        }
        guard !isTooLong(line), used + core.count <= limits.bytes else {
            return refuseTooLarge(line, number)
        }
        if unit != nil {
            continueUnit(with: line, core, number)
        } else if form == .skipping {
            guard line.mayBeObject, let document = object(core) else {
                return output.verbatim(line)
            }
            accept(document, of: line, core, number)
        } else {
            judgeAlone(line, core, number)
        }
    }

    /// Whether so many lines were refused in succession that no more is said of the next ones.
    var isSilent: Bool { form == .lines && refusals >= Self.lineAllowance }

    /// Passes the next lines that are not objects by their last byte and their first member.
    ///
    /// - Parameters:
    ///   - chunk: Bytes of the stream.
    ///   - start: The first byte of a line.
    /// - Returns: The first byte behind those lines.
    mutating func passGarbage(of chunk: [UInt8], from start: Int) -> Int {
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

    private mutating func judgeAlone(
        _ line: ArraySlice<UInt8>, _ core: ArraySlice<UInt8>, _ number: Int
    ) {
        do throws(PayloadError) {
            parser.reset()
            parser.isTerse = isSilent
            defer { parser.isTerse = false }
            parser.append(core)
            try read(core)
            guard parser.isComplete else {
                guard form == .unknown else { throw parser.truncation }
                unit = Unit(line: number)
                output.verbatim(line[..<core.startIndex])
                gap = Array(line[core.endIndex...])
                return
            }
            accept(try takeObject(), of: line, core, number)
        } catch {
            refusals += 1
            guard refusals <= Self.lineAllowance else {
                return output.refusedLines(line, number...number)
            }
            if refusals == Self.lineAllowance { form = .lines }
            output.verbatim(line[..<core.startIndex])
            output.add(.refused(Array(core), error.inLine(number)))
            output.verbatim(line[core.endIndex...])
        }
    }

    private mutating func accept(
        _ document: JSONDocument, of line: ArraySlice<UInt8>, _ core: ArraySlice<UInt8>,
        _ number: Int
    ) {
        form = .lines
        refusals = 0
        output.verbatim(line[..<core.startIndex])
        output.add(.document(document, line: number))
        output.verbatim(line[core.endIndex...])
    }

    /// Refuses a line, or its beginning, together with the document that it belongs to.
    mutating func refuseTooLarge(_ line: ArraySlice<UInt8>, _ number: Int) {
        let error = JSONDocument.tooLarge(limits).inLine(unit?.line ?? number)
        if unit != nil {
            output.add(.refused(parser.bytes + gap + line, error))
            forgetUnit()
            form = .skipping
        } else {
            refusals += 1
            output.add(.refused(Array(line), error))
        }
    }

    /// Parses what was added to the parser, and counts it.
    mutating func read(_ part: ArraySlice<UInt8>) throws(PayloadError) {
        parsedBytes += part.count
        try parser.read()
    }

    /// The complete document of the parser, which begins anew.
    ///
    /// - Throws: `PayloadError` with code `wrongShape` when it is no object.
    mutating func takeObject() throws(PayloadError) -> JSONDocument {
        let document = JSONDocument(parser, limits: limits)
        // The document keeps the memory.
        parser = JSONParser(limits: limits)
        return try APNsPayload.object(document)
    }

    /// Parses a line by itself; nil when it is no object.
    private mutating func object(_ core: ArraySlice<UInt8>) -> JSONDocument? {
        parser.reset()
        parser.append(core)
        guard (try? read(core)) != nil, parser.isComplete else { return nil }
        return try? takeObject()
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
    /// The bytes without the white space around them; nil when there is nothing else.
    fileprivate var withoutWhiteSpace: ArraySlice<UInt8>? {
        var (start, end) = (startIndex, endIndex)
        while start < end, self[start].isJSONWhiteSpace { start += 1 }
        guard start < end else { return nil }
        while self[end - 1].isJSONWhiteSpace { end -= 1 }
        return self[start..<end]
    }

    /// Whether the first byte, and the last one that is no white space, are those of an object.
    var mayBeObject: Bool {
        first == UInt8(ascii: "{") && last { !$0.isJSONWhiteSpace } == UInt8(ascii: "}")
    }

    /// Whether it begins an object or array.
    var beginsContainer: Bool { first == UInt8(ascii: "{") || first == UInt8(ascii: "[") }
}
