/// Writes the container of WebP files (RFC 9649, section 2).
enum WebPFileWriter {
    static func number(_ value: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        Array(type.utf8) + number(data.count, 4) + data + (data.count % 2 == 1 ? [0] : [])
    }

    static func file(_ chunks: [UInt8]...) -> [UInt8] {
        let body = chunks.flatMap { $0 }
        return Array("RIFF".utf8) + number(4 + body.count, 4) + Array("WEBP".utf8) + body
    }

    static func features(_ flags: UInt8, width: Int, height: Int) -> [UInt8] {
        chunk("VP8X", [flags, 0, 0, 0] + number(width - 1, 3) + number(height - 1, 3))
    }

    /// Data of the first chunk of a type.
    static func data(_ type: String, of file: [UInt8]) -> [UInt8]? {
        var place = 12
        while place + 8 <= file.count {
            let length = (0..<4).reduce(0) { $0 | Int(file[place + 4 + $1]) << (8 * $1) }
            if Array(type.utf8) == Array(file[place..<place + 4]) {
                return Array(file[place + 8..<min(place + 8 + length, file.count)])
            }
            place += 8 + length + length % 2
        }
        return nil
    }
}
