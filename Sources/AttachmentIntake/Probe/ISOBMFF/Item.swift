internal import AttachmentContainer

/// An item of a HEIF file.
struct Item {
    let identifier: ItemIdentifier
    /// What it is: `hvc1` and `av01` are coded, `grid`, `iovl` and `iden` derived from others.
    let type: FourCC
    /// What is said of it, in the order in which transformations apply.
    let properties: [ItemProperty]

    /// A property that must be understood to show the item, and is not; nil when there is none.
    let unknownEssential: FourCC?

    /// How its samples are coded; nil when it is derived.
    var codec: CodecConfiguration? {
        for case .codec(let configuration, _) in properties { return configuration }
        return nil
    }

    /// Where the record lies in the file that says how its samples are coded; nil when it is
    /// derived.
    var codecRecord: Range<Int>? {
        for case .codec(_, let record) in properties { return record }
        return nil
    }

    /// Where its ICC profile lies in the file; nil when it has none.
    var profile: Range<Int>? {
        for case .profile(let place) in properties { return place }
        return nil
    }

    /// What its samples mean; nil when that is left to the coded bytes.
    var colours: ItemColours? {
        for case .colours(let colours) in properties { return colours }
        return nil
    }

    /// Whether it is the alpha plane of another.
    var isAlphaPlane: Bool {
        for case .alphaPlane in properties { return true }
        return false
    }

    /// What is seen of the stored picture and how it must be turned; nil when the item has no size.
    var transformation: ItemTransformation? {
        get throws(HeaderFault) {
            guard let size = extents else { return nil }
            var transformation = ItemTransformation(of: size)
            for property in properties { try transformation.append(property) }
            return transformation
        }
    }

    /// The size in pixels before any transformation; nil when there is none.
    var extents: PixelSize? {
        for case .extents(let size) in properties { return size }
        return nil
    }
}
