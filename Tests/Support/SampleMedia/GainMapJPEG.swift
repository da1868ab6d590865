/// A JPEG with an HDR gain map behind it, as phones write it.
package struct GainMapJPEG {
    package enum Description: Sendable, CaseIterable {
        case ultraHDR
        case iso
        /// By XMP and by the standard.
        case both
        case apple
        /// The gain map does not say what it is.
        case none
    }

    package var description: Description
    package var picture: [UInt8]
    package var gainMap: [UInt8]
    /// True for a Multi-Picture index in the picture.
    package var hasIndex = true
    /// Letters that begin the identifiers of the picture's segments; others are unknown.
    package var letters = "hMu"
    /// Bytes between picture and gain map.
    package var between: [UInt8] = []

    package init(_ description: Description, of picture: [UInt8], gainMap: [UInt8]) {
        (self.description, self.picture, self.gainMap) = (description, picture, gainMap)
    }

    package var bytes: [UInt8] {
        let described = Array(gainMap[..<2]) + gainMapSegments + gainMap[2...]
        let head = pictureSegments(length: described.count)
        let index = hasIndex ? Self.index(2 + head.count, picture.count, self) : []
        return Array(picture[..<2]) + head + index + picture[2...] + between + described
    }

    package static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0xFF, marker] + .big16(body.count + 2) + body
    }

    package static func xmp(_ attributes: String, _ contents: String = "") -> [UInt8] {
        segment(0xE1, .ascii("http://ns.adobe.com/xap/1.0/\0" + packet(attributes, contents)))
    }

    private static func packet(_ attributes: String, _ contents: String) -> String {
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/">
          <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description \(attributes)>\(contents)</rdf:Description>
          </rdf:RDF>
        </x:xmpmeta>
        """
    }

    private static let isoName = "urn:iso:std:iso:ts:21496:-1\0"
    private static let ultraHDR =
        #"xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0""#

    /// Versions alone in the picture, and all fields in the gain map.
    private var gainMapSegments: [UInt8] {
        let xmp = Self.xmp(Self.ultraHDR + #" hdrgm:GainMapMax="2.5" hdrgm:HDRCapacityMax="2.5""#)
        let iso = Self.segment(0xE2, .ascii(Self.isoName) + .zeros(61))
        switch description {
        case .ultraHDR: return xmp
        case .iso: return iso
        case .both: return xmp + iso
        case .apple:
            return Self.xmp(
                #"xmlns:HDRGainMap="http://ns.apple.com/HDRGainMap/1.0/" "#
                    + #"xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/" "#
                    + #"HDRGainMap:HDRGainMapVersion="65536" "#
                    + #"apdi:AuxiliaryImageType="urn:com:apple:photo:2020:aux:hdrgainmap""#)
        case .none: return []
        }
    }

    private func pictureSegments(length: Int) -> [UInt8] {
        let list = """
            <Container:Directory><rdf:Seq>\
            <rdf:li><Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li>\
            <rdf:li><Container:Item Item:Length='\(length)' Item:Semantic="GainMap"/></rdf:li>\
            </rdf:Seq></Container:Directory>
            """
        var xmp = Self.xmp(
            Self.ultraHDR + #" xmlns:Container="http://ns.google.com/photos/1.0/container/""#, list)
        var iso = Self.segment(0xE2, .ascii(Self.isoName) + .zeros(4))
        xmp[4] = letter(0)
        iso[4] = letter(2)
        switch description {
        case .ultraHDR, .none: return xmp
        case .iso: return iso
        case .both: return xmp + iso
        case .apple: return []
        }
    }

    private func letter(_ index: Int) -> UInt8 { Array(letters.utf8)[index] }

    /// An index of two pictures (CIPA DC-007, 5.2), after `start` bytes of the file.
    private static func index(_ start: Int, _ count: Int, _ file: GainMapJPEG) -> [UInt8] {
        let described = file.gainMap.count + file.gainMapSegments.count
        func segment(_ length: Int, _ offset: Int) -> [UInt8] {
            let entries: [UInt8] =
                .big32(0x0003_0000) + .big32(length) + .big32(0) + .big32(0) + .big32(0)
                + .big32(described) + .big32(offset) + .big32(0)
            let fields: [[UInt8]] = [
                .big16(0xB000) + .big16(7) + .big32(4) + .ascii("0100"),
                .big16(0xB001) + .big16(4) + .big32(1) + .big32(2),
                .big16(0xB002) + .big16(7) + .big32(entries.count) + .big32(50),
            ]
            var body: [UInt8] = .ascii("MPF\0MM\0*") + .big32(8) + .big16(3)
            body += fields.flatMap { $0 } + .big32(0) + entries
            body[0] = file.letter(1)
            return Self.segment(0xE2, body)
        }
        let length = count + start - 2 + segment(0, 0).count
        // Offsets count from the byte order mark, behind marker, length and identifier.
        return segment(length, length + file.between.count - (start + 8))
    }
}
