internal import AttachmentContainer
internal import AttachmentModel

struct Item {
    let identifier: ItemIdentifier
    /// `hvc1` and `av01` are coded; `grid`, `iovl`, `iden` and `tmap` are derived.
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
        first { if case .codec(let configuration, _) = $0 { configuration } else { nil } }
    }

    var codecRecord: Range<Int>? {
        first { if case .codec(_, let record) = $0 { record } else { nil } }
    }

    var profile: Range<Int>? { first { if case .profile(let place) = $0 { place } else { nil } } }

    var colours: CodedColours? {
        first { if case .colours(let colours) = $0 { colours } else { nil } }
    }

    var isAlphaPlane: Bool {
        properties.contains { if case .alphaPlane = $0 { true } else { false } }
    }

    var gainMap: GainMapKind? {
        first { if case .gainMap(let kind) = $0 { kind } else { nil } }
    }

    var transformation: ItemTransformation? {
        get throws(HeaderFault) {
            guard let size = extents else { return nil }
            var transformation = ItemTransformation(of: size)
            for property in properties { try transformation.append(property) }
            return transformation
        }
    }

    var extents: PixelSize? { first { if case .extents(let size) = $0 { size } else { nil } } }

    private func first<Value>(_ value: (ItemProperty) -> Value?) -> Value? {
        properties.lazy.compactMap(value).first
    }
}
