import Foundation

enum Terminal {
    /// True if standard error is a terminal that can redraw a line.
    static var isInteractive: Bool {
        isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
    }

    /// The width of the terminal.
    ///
    /// The default is 80.
    static var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Writes an escaped line to standard error.
    static func complain(_ line: String) { write(line.escaped() + "\n") }

    /// Replaces the line drawn before.
    static func redraw(_ line: String) { write("\r\(line.escaped())\u{1B}[K") }

    static func erase() { redraw("") }

    /// Reports that a container has no notification of this identifier.
    static func complainMissing(_ identifier: String) {
        complain(
            "error: there is no notification '\(identifier)'; list them with "
                + "'thimble container list'")
    }

    private static func write(_ text: String) {
        StandardStream.write(Array(text.utf8), to: STDERR_FILENO)
    }
}

/// Text on standard output.
enum TextOutput {
    /// Prints an escaped line; the sequences in `styles` stay.
    static func print(_ line: String, styles: [String] = []) {
        Swift.print(line.escaped(keeping: styles))
    }

    static func printLines(_ text: String) {
        text.split(separator: "\n", omittingEmptySubsequences: false).forEach { print(String($0)) }
    }
}

/// JSON on standard output.
enum JSONOutput {
    static func print(_ value: some Encodable) throws {
        // The encoder escapes only ASCII control characters.
        Swift.print(try JSONText.of(value).escaped(keeping: ["\n"]))
    }

    /// Writes a value as one line, at once; returns false, with `errno` set, on failure.
    static func printLine(_ value: some Encodable) -> Bool {
        guard let line = try? JSONText.line(of: value) else { return false }
        return StandardStream.write(Array((line.escaped() + "\n").utf8), to: STDOUT_FILENO)
    }
}
