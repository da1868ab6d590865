internal import AttachmentContainer
internal import AttachmentModel

struct Item {
    let identifier: ItemIdentifier
    /// `hvc1` and `av01` are coded; `grid`, `iovl` and `iden` are derived.
    let type: FourCC
    /// In the order in which transformations apply.
    let properties: [ItemProperty]
    let unknownEssential: FourCC?

    var isCoded: Bool { type == "hvc1" || type == "av01" }

    func checkSupported() throws(HeaderFault) {
        guard let unknownEssential else { return }
        throw .unsupported(
            "a HEIF picture with the unknown essential property '\(unknownEssential)'")
    }

    var codec: CodecConfiguration? {
        for case .codec(let configuration, _) in properties { return configuration }
        return nil
    }

    var codecRecord: Range<Int>? {
        for case .codec(_, let record) in properties { return record }
        return nil
    }

    var profile: Range<Int>? {
        for case .profile(let place) in properties { return place }
        return nil
    }

    var colours: CodedColours? {
        for case .colours(let colours) in properties { return colours }
        return nil
    }

    var isAlphaPlane: Bool {
        for case .alphaPlane in properties { return true }
        return false
    }

    var transformation: ItemTransformation? {
        get throws(HeaderFault) {
            guard let size = extents else { return nil }
            var transformation = ItemTransformation(of: size)
            for property in properties { try transformation.append(property) }
            return transformation
        }
    }

    var extents: PixelSize? {
        for case .extents(let size) in properties { return size }
        return nil
    }
}
