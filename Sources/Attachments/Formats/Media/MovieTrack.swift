internal import AttachmentContainer
internal import AttachmentModel

/// Track of a movie: its kind, codec and size (ISO/IEC 14496-12, 8.3 to 8.5).
struct MovieTrack {
    let handler: FourCC
    let coding: FourCC
    let size: PixelSize?

    var kind: MediaType.Kind? {
        switch handler {
        case "vide": .movie
        case "soun": .sound
        default: nil
        }
    }

    /// True if the samples are encrypted (ISO/IEC 14496-12, 8.12; iTunes).
    var isProtected: Bool { ["encv", "enca", "drmi", "drms"].contains(coding) }

    /// Codecs of ISO/IEC 14496-14 and -15, the AV1, VP9 and Opus bindings, and Apple's additions.
    var isMPEG4: Bool {
        [
            "avc1", "avc3", "hvc1", "hev1", "mp4v", "av01", "vp09", "mp4a", "alac", "ac-3", "ec-3",
            "Opus", "fLaC",
        ].contains(coding)
    }

    init?(_ track: Box) throws(HeaderFault) {
        var boxes = BoxSequence(track.payload)
        var shown: PixelSize?
        var media: Media?
        while let box = try boxes.next() {
            switch box.type {
            case "tkhd": shown = try Self.shownSize(box)
            case "mdia": media = try Media(box)
            default: break
            }
        }
        guard let media, let handler = media.handler else { return nil }
        self.handler = handler
        coding = media.coding ?? FourCC(rawValue: 0)
        size = handler == "vide" ? shown ?? media.codedSize : nil
    }

    /// Displayed size from a `tkhd` box, rotated by its matrix (8.3.2); nil if zero.
    private static func shownSize(_ box: Box) throws(HeaderFault) -> PixelSize? {
        var payload = box.payload
        let isWide = try payload.fullBox().version == 1
        // Times, identifier, duration; then layer, group, volume and reserved fields.
        try payload.skip((isWide ? 32 : 20) + 16)
        // Three rows of three numbers, beginning with a, b, u and c, d, v.
        var matrix: [UInt32] = []
        for _ in 0..<9 { matrix.append(try payload.uint32()) }
        // 16.16 fixed point.
        let (width, height) = (Int(try payload.uint32()) >> 16, Int(try payload.uint32()) >> 16)
        guard width > 0, height > 0 else { return nil }
        let size = PixelSize(width: width, height: height)
        let isQuarterTurn = matrix[0] == 0 && matrix[4] == 0 && matrix[1] != 0 && matrix[3] != 0
        return isQuarterTurn ? size.transposed : size
    }
}

extension MovieTrack {
    private struct Media {
        private(set) var handler: FourCC?
        private(set) var coding: FourCC?
        private(set) var codedSize: PixelSize?

        init(_ media: Box) throws(HeaderFault) {
            var boxes = BoxSequence(media.payload)
            while var box = try boxes.next() {
                switch box.type {
                case "hdlr":
                    try box.payload.skip(8)
                    handler = try box.payload.fourCC()
                case "minf": try readDescriptions(box)
                default: break
                }
            }
        }

        /// Descends through `minf`, `stbl` and `stsd` to the first sample description (8.5.2).
        private mutating func readDescriptions(_ information: Box) throws(HeaderFault) {
            guard let table = try information.first("stbl"),
                var descriptions = try table.first("stsd")
            else { return }
            try descriptions.payload.skip(8)
            var entries = BoxSequence(descriptions.payload)
            guard var entry = try entries.next() else { return }
            coding = entry.type
            // Only a visual sample entry has a size here (12.1.3); callers check the handler.
            guard entry.payload.remaining >= 28 else { return }
            try entry.payload.skip(24)
            let (width, height) = (Int(try entry.payload.uint16()), Int(try entry.payload.uint16()))
            if width > 0, height > 0 { codedSize = PixelSize(width: width, height: height) }
        }
    }
}

extension Box {
    func first(_ type: FourCC) throws(HeaderFault) -> Box? {
        var boxes = BoxSequence(payload)
        while let box = try boxes.next() {
            if box.type == type { return box }
        }
        return nil
    }
}

extension Cursor {
    /// All bits set means unknown (ISO/IEC 14496-12, 8.2.2.3) and gives 0.
    mutating func duration(isWide: Bool) throws(HeaderFault) -> Int {
        if isWide {
            let value = try uint64()
            return value == .max ? 0 : Int(clamping: value)
        }
        let value = try uint32()
        return value == .max ? 0 : Int(value)
    }
}
