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
    /// - Parameter line: The line, without its end.
    static func complain(_ line: String) { write(line + "\n") }

    /// Writes to standard error at once, without buffering.
    ///
    /// - Parameter text: What to write.
    static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
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
        Swift.print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }
}
