import Foundation

/// Writes animated PNGs (PNG specification, third edition, 11.3.6).
enum AnimatedPNG {
    /// Combines the image data of PNGs into one file.
    static func bytes(_ frames: [Data], milliseconds: Int) -> Data {
        guard let first = frames.first else { return Data() }
        var sequence = 0
        // The signature and IHDR, which has a fixed length.
        var file = Data.parts(
            first.prefix(8 + 25), chunk("acTL", .parts(.big(frames.count), .big(0))))
        for (number, frame) in frames.enumerated() {
            // Sequence number, size, offset, delay as a fraction, disposal none, blending source.
            let control = Data.parts(
                .big(sequence), first[16..<24], .big(0), .big(0), .big(milliseconds, 2),
                .big(1000, 2), .big(0, 2))
            file += chunk("fcTL", control)
            sequence += 1
            for data in imageData(frame) {
                if number == 0 {
                    file += chunk("IDAT", data)
                } else {
                    file += chunk("fdAT", .parts(.big(sequence), data))
                    sequence += 1
                }
            }
        }
        return file + chunk("IEND", Data())
    }

    /// Contents of the IDAT chunks.
    private static func imageData(_ png: Data) -> [Data] {
        var (place, found) = (8, [Data]())
        while place + 12 <= png.count {
            let length = png.big(at: place)
            if png[place + 4..<place + 8] == .name("IDAT") {
                found.append(png[place + 8..<place + 8 + length])
            }
            place += 12 + length
        }
        return found
    }

    private static func chunk(_ name: String, _ body: Data) -> Data {
        let content = Data.parts(.name(name), body)
        return .parts(.big(body.count), content, .big(Int(checksum(content))))
    }

    /// CRC-32 (PNG specification, annex D).
    private static func checksum(_ data: Data) -> UInt32 {
        ~data.reduce(~UInt32(0)) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
                sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1
            }
        }
    }
}
