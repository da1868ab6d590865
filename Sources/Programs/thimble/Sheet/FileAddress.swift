import Foundation

/// Addresses of files for a page on a disk.
enum FileAddress {
    /// The address of a file, relative to the folder of the page; nil if its name is not UTF-8.
    ///
    /// A relative address lets page, pictures and container move together.
    static func of(_ path: String, from folder: String) -> String? {
        guard !path.unicodeScalars.contains("\u{FFFD}") else { return nil }
        let target = parts(path)
        let start = parts(folder)
        let common = zip(target, start).prefix { $0 == $1 }.count
        let steps =
            Array(repeating: "..", count: start.count - common) + target.dropFirst(common)
        // A first step with a colon would be read as a scheme (RFC 3986, section 4.2).
        return "./" + steps.map(encoded).joined(separator: "/")
    }

    private static func parts(_ path: String) -> [String] {
        URL(fileURLWithPath: path).standardizedFileURL.path.split(separator: "/").map(String.init)
    }

    /// Everything but unreserved characters encoded (RFC 3986, section 2.3).
    private static func encoded(_ step: String) -> String {
        var text = ""
        for byte in step.utf8 {
            let isUnreserved =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                || (0x61...0x7A).contains(byte) || [0x2D, 0x2E, 0x5F, 0x7E].contains(byte)
            if isUnreserved {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }
        return text
    }
}
