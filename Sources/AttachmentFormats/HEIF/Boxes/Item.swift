internal import AttachmentContainer
internal import AttachmentModel

struct Item {
    let identifier: ItemIdentifier
    /// `hvc1` and `av01` are coded; `grid`, `iovl` and `iden` are derived.
    let type: FourCC
    /// Properties, in the order in which transformations apply.
    let properties: [ItemProperty]

    /// First essential property that is unknown; otherwise nil.
    let unknownEssential: FourCC?

    /// Codec configuration; nil for derived items.
    var codec: CodecConfiguration? {
        for case .codec(let configuration, _) in properties { return configuration }
        return nil
    }

    /// File range of the codec configuration record; nil for derived items.
    var codecRecord: Range<Int>? {
        for case .codec(_, let record) in properties { return record }
        return nil
    }

    /// File range of the ICC profile; nil if absent.
    var profile: Range<Int>? {
        for case .profile(let place) in properties { return place }
        return nil
    }

    /// Colour description; nil if the coded bytes contain it.
    var colours: ItemColours? {
        for case .colours(let colours) in properties { return colours }
        return nil
    }

    var isAlphaPlane: Bool {
        for case .alphaPlane in properties { return true }
        return false
    }

    /// Combined crops and rotations; nil if the item has no size.
    var transformation: ItemTransformation? {
        get throws(HeaderFault) {
            guard let size = extents else { return nil }
            var transformation = ItemTransformation(of: size)
            for property in properties { try transformation.append(property) }
            return transformation
        }
    }

    /// Size before any transformation, in pixels; nil if absent.
    var extents: PixelSize? {
        for case .extents(let size) in properties { return size }
        return nil
    }
}
