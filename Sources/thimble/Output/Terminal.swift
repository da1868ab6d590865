import Foundation

/// Standard error.
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

    private static func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

/// Text on standard output.
enum TextOutput {
    /// Prints an escaped line; the sequences in `styles` stay.
    static func print(_ line: String, styles: [String] = []) {
        Swift.print(line.escaped(keeping: styles))
    }
}

/// JSON on standard output.
enum JSONOutput {
    static func print(_ value: some Encodable) throws {
        // The encoder escapes only ASCII control characters.
        Swift.print(try JSONText.of(value).escaped(keeping: ["\n"]))
    }
}
