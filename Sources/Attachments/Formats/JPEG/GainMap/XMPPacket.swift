internal import AttachmentModel

/// Text of an XMP packet, searched for gain maps without parsing XML.
struct XMPPacket {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Kinds of gain map that the packet describes.
    var kinds: Set<GainMapKind> {
        var kinds: Set<GainMapKind> = []
        if place(of: "http://ns.adobe.com/hdr-gain-map/1.0/") != nil { kinds.insert(.ultraHDR) }
        if place(of: GainMapKind.appleName) != nil { kinds.insert(.apple) }
        return kinds
    }

    /// Bytes from the start of the listed gain map to the end of the last picture; nil if none is
    /// listed, or lengths are missing.
    ///
    /// The list is Google's `Container:Directory`: one element for each picture, in the order of
    /// the file.
    var lengthFromGainMap: Int? {
        var length: Int?
        var start = 0
        for _ in 0..<Self.maximumPictures {
            guard let place = place(of: "Item:Semantic", from: start) else { break }
            let element = element(around: place)
            start = element.upperBound
            if length == nil, value(of: "Item:Semantic", in: element) == "GainMap" { length = 0 }
            guard let sum = length else { continue }
            guard let text = value(of: "Item:Length", in: element), let part = UInt32(text) else {
                return nil
            }
            length = sum + Int(part)
        }
        return length
    }

    /// Above real lists, which have two or three; every element costs a search of the packet.
    private static let maximumPictures = 16

    private func place(of text: String, from start: Int = 0) -> Int? {
        let wanted = Array(text.utf8)
        guard bytes.count >= wanted.count, start <= bytes.count - wanted.count else { return nil }
        return (start...bytes.count - wanted.count).first {
            bytes[$0] == wanted[0] && bytes[$0..<$0 + wanted.count].elementsEqual(wanted)
        }
    }

    /// From the last `<` before a place to the next `>`.
    private func element(around place: Int) -> Range<Int> {
        let start = bytes[..<place].lastIndex(of: UInt8(ascii: "<")) ?? 0
        let end = bytes[place...].firstIndex(of: UInt8(ascii: ">")) ?? bytes.count
        return start..<end
    }

    /// Value of an attribute, in quotes of either kind.
    private func value(of name: String, in element: Range<Int>) -> String? {
        guard let place = place(of: name + "=", from: element.lowerBound) else { return nil }
        let start = place + name.utf8.count + 2
        guard start < element.upperBound else { return nil }
        let quote = bytes[start - 1]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
            let end = bytes[start..<element.upperBound].firstIndex(of: quote)
        else { return nil }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }
}
