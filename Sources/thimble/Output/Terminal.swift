import Foundation

/// Standard error as a person or a log sees it.
enum Terminal {
    /// Whether standard error is a terminal that can redraw a line.
    static var isInteractive: Bool {
        isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// The columns of the terminal; 80 when it does not say.
    static var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Writes a line to standard error.
    ///
    /// - Parameter line: The line, without its end; what a terminal would obey is escaped.
    static func complain(_ line: String) { write(line.escaped() + "\n") }

    /// Draws a line over the one that was drawn before.
    ///
    /// - Parameter line: The line; what a terminal would obey is escaped.
    static func redraw(_ line: String) { write("\r\(line.escaped())\u{1B}[K") }

    /// Takes away the line that was drawn.
    static func erase() { redraw("") }

    /// Writes at once, without buffering.
    private static func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}

/// Standard output for people.
enum TextOutput {
    /// Prints a line.
    ///
    /// - Parameters:
    ///   - line: The line, without its end; what a terminal would obey is escaped.
    ///   - styles: Sequences of our own in it, which stay. The default is none.
    static func print(_ line: String, styles: [String] = []) {
        Swift.print(line.escaped(keeping: styles))
    }
}

/// Standard output for machines.
enum JSONOutput {
    /// Prints a value as JSON with sorted keys.
    ///
    /// - Parameter value: What to print.
    /// - Throws: What the encoder throws.
    static func print(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        print(json: String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Prints JSON; the encoder escapes of what a terminal obeys only the ASCII part.
    ///
    /// - Parameter json: The JSON, on one line or more.
    static func print(json: String) {
        Swift.print(json.escaped(keeping: ["\n"]))
    }
}
