internal import AttachmentContainer
internal import AttachmentPlanning

/// An item of a HEIF file.
struct Item {
    let identifier: ItemIdentifier
    /// What it is: `hvc1` and `av01` are coded, `grid`, `iovl` and `iden` derived from others.
    let type: FourCC
    /// What is said of it, in the order in which transformations apply.
    let properties: [ItemProperty]

    /// How its samples are coded; nil when it is derived.
    var codec: CodecConfiguration? {
        for case .codec(let configuration) in properties { return configuration }
        return nil
    }

    /// The length of its ICC profile, in bytes; nil when it has none.
    var profileBytes: Int? {
        for case .profile(let bytes) in properties { return bytes }
        return nil
    }

    /// Whether it is the alpha plane of another.
    var isAlphaPlane: Bool {
        for case .alphaPlane in properties { return true }
        return false
    }

    /// The size that is stored and how it must be turned; nil when the item has no size.
    ///
    /// A crop that comes after a turn by 90 degrees speaks of turned sides, and is turned back.
    var transformation: (size: PixelSize, orientation: Orientation)? {
        get throws(HeaderFault) {
            guard var size = extents else { return nil }
            var orientation = Orientation.upright
            for property in properties {
                switch property {
                case .cleanAperture(let aperture):
                    let stored = orientation.upright(aperture)
                    guard stored.width <= size.width, stored.height <= size.height else {
                        throw .unsupported("a clean aperture of \(aperture) in \(size)")
                    }
                    size = stored
                case .rotation(let quarterTurns):
                    orientation = orientation.turned(counterClockwise: quarterTurns)
                case .mirror(let leftToRight):
                    orientation = orientation.mirrored(leftToRight: leftToRight)
                default:
                    break
                }
            }
            return (size, orientation)
        }
    }

    /// The size in pixels before any transformation; nil when there is none.
    var extents: PixelSize? {
        for case .extents(let size) in properties { return size }
        return nil
    }
}
