import AttachmentModel

extension String {
    /// At most `count` characters, with terminal control characters escaped.
    package func printable(_ count: Int) -> String {
        var text = ""
        for scalar in unicodeScalars.prefix(count) {
            if scalar.isControl, scalar != "\n" {
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
