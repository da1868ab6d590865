/// Multi-line documents.
extension PayloadSplitter {
    /// Appends a line to the document.
    ///
    /// The line includes its line feed; `trimmed` has no surrounding white space.
    mutating func continueMultiline(
        with line: ArraySlice<UInt8>, _ trimmed: ArraySlice<UInt8>, _ number: Int
    ) {
        guard var current = multiline else { return }
        current.lines += 1
        multiline = current
        guard !trimmed.isEmpty else {
            if isTooLong(line) { refuseTooLarge(line, number) } else { gap += line }
            return
        }
        gap += line[..<trimmed.startIndex]
        parser.append(gap)
        parser.append(trimmed)
        gap = Array(line[trimmed.endIndex...])
        do throws(PayloadError) {
            try read(trimmed)
            guard parser.isComplete else {
                if current.lines <= Self.lineAllowance, !current.hasObject, line.mayBeObject {
                    current.hasObject = isObject(trimmed)
                    multiline = current
                }
                return
            }
            let bytes = parser.bytes
            do throws(PayloadError) {
                let pieces = try takePieces(line: current.line)
                form = .lines
                refusals = 0
                output.add(pieces)
                output.verbatim(gap[...])
            } catch {
                refuse(bytes, error, from: current.line)
            }
            resetMultiline()
        } catch {
            if current.hasObject || line.beginsContainer, current.lines <= Self.lineAllowance {
                return processLines(of: current)
            }
            refuse(parser.bytes, error, from: current.line)
            resetMultiline()
            form = .skipping
        }
    }

    mutating func endMultiline() {
        guard let multiline else { return }
        if multiline.hasObject, multiline.lines <= Self.lineAllowance {
            return processLines(of: multiline)
        }
        refuse(parser.bytes, parser.truncation, from: multiline.line)
        resetMultiline()
    }

    mutating func resetMultiline() {
        multiline = nil
        gap = []
        // The refused piece owns the memory.
        parser = JSONParser(limits: limits)
    }

    /// Refuses the document, with the white space after it.
    private mutating func refuse(_ bytes: [UInt8], _ error: PayloadError, from line: Int) {
        let before = bytes[..<min(error.offset ?? 0, bytes.count)]
        let fault = line + before.count { $0 == UInt8(ascii: "\n") }
        refusals += 1
        output.add(.refused(bytes, error.inLine(fault)))
        output.verbatim(gap[...])
    }

    private mutating func processLines(of multiline: MultilineDocument) {
        let bytes = parser.bytes + gap
        resetMultiline()
        form = .lines
        line = multiline.line
        var start = 0
        while start < bytes.count {
            let feed = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
            let end = feed.map { $0 + 1 } ?? bytes.count
            process(bytes[start..<end])
            start = end
        }
    }

    private mutating func isObject(_ trimmed: ArraySlice<UInt8>) -> Bool {
        parsedBytes += trimmed.count
        return (try? JSONDocument(parsing: trimmed, limits: limits)) != nil
    }
}
