/// The document of many lines.
extension PayloadSplitter {
    /// Adds a line to the document.
    ///
    /// - Parameters:
    ///   - line: The line with its line feed.
    ///   - core: The line without the white space around it.
    ///   - number: The number of the line.
    mutating func continueUnit(
        with line: ArraySlice<UInt8>, _ core: ArraySlice<UInt8>, _ number: Int
    ) {
        guard var current = unit else { return }
        current.lines += 1
        unit = current
        guard !core.isEmpty else {
            if isTooLong(line) { refuseTooLarge(line, number) } else { gap += line }
            return
        }
        gap += line[..<core.startIndex]
        parser.append(gap)
        parser.append(core)
        gap = Array(line[core.endIndex...])
        do throws(PayloadError) {
            try read(core)
            guard parser.isComplete else {
                if current.lines <= Self.lineAllowance, !current.hasObject, line.mayBeObject {
                    current.hasObject = isObject(core)
                    unit = current
                }
                return
            }
            let bytes = parser.bytes
            do throws(PayloadError) {
                let document = try takeObject()
                form = .lines
                refusals = 0
                output.add(.document(document, line: current.line))
                output.verbatim(gap[...])
            } catch {
                refuse(bytes, error, from: current.line)
            }
            forgetUnit()
        } catch {
            if current.hasObject || line.beginsContainer, current.lines <= Self.lineAllowance {
                return judgeLines(of: current)
            }
            refuse(parser.bytes, error, from: current.line)
            forgetUnit()
            form = .skipping
        }
    }

    /// Ends the stream within the document.
    mutating func endUnit() {
        guard let unit else { return }
        if unit.hasObject, unit.lines <= Self.lineAllowance { return judgeLines(of: unit) }
        refuse(parser.bytes, parser.truncation, from: unit.line)
        forgetUnit()
    }

    mutating func forgetUnit() {
        unit = nil
        gap = []
        // What was refused keeps the memory.
        parser = JSONParser(limits: limits)
    }

    /// Refuses the document with the white space behind it.
    private mutating func refuse(_ bytes: [UInt8], _ error: PayloadError, from line: Int) {
        let before = bytes[..<min(error.offset ?? 0, bytes.count)]
        let fault = line + before.count { $0 == UInt8(ascii: "\n") }
        refusals += 1
        output.add(.refused(bytes, error.inLine(fault)))
        output.verbatim(gap[...])
    }

    /// Judges the lines of the document one by one.
    private mutating func judgeLines(of unit: Unit) {
        let bytes = parser.bytes + gap
        forgetUnit()
        form = .lines
        line = unit.line
        var start = 0
        while start < bytes.count {
            let feed = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
            let end = feed.map { $0 + 1 } ?? bytes.count
            judge(bytes[start..<end])
            start = end
        }
    }

    /// Whether a line is an object by itself.
    private mutating func isObject(_ core: ArraySlice<UInt8>) -> Bool {
        parsedBytes += core.count
        return (try? JSONDocument(parsing: core, limits: limits)) != nil
    }
}
