internal import AttachmentContainer

extension RenderedAttachment {
    /// Checks facts that enter a manifest: a compromised worker may report anything.
    ///
    /// Byte counts, crops, colours and placeholders are validated when they are parsed.
    package func isPlausible(outputs: Int, presets: PresetSelection) -> Bool {
        let used = renditions.compactMap(\.output)
        return Set(used).count == used.count && used.allSatisfy((0..<outputs).contains)
            && (refusal == nil
                ? Self.roles(of: presets).contains(renditions.map(\.role)) : renditions.isEmpty)
            && renditions.allSatisfy(\.isPlausible) && source.isPlausible
            && rung.isPlausibleRung(
                isMedia: refusal != nil || renditions.first?.role == .media)
            && thumbnailTime.map(Manifest.credibleThumbnailTimes.contains) ?? true
            && notes.count <= Self.maximumNotes && notes.allSatisfy { $0.isShort(1024) }
    }

    private static func roles(of presets: PresetSelection) -> [[RenditionRole]] {
        let animation = presets.includesContent ? [[.attachment] + presets.roles] : []
        return [presets.roles, [.media]] + animation
    }

    /// Limit on notes: a few for each step of the pipeline.
    private static let maximumNotes = 32
}

extension RenderedAttachment.Source {
    fileprivate var isPlausible: Bool {
        format.isWord && coding.isWord && size.isPlausible && (1...8).contains(orientation)
            && (frames ?? 0).isCount && framesUsed.isCount
    }
}

extension RenderedAttachment.Rendition {
    fileprivate var isPlausible: Bool {
        switch role {
        case .media:
            guard MediaType(rawValue: type) != nil, output == nil else { return false }
        case .attachment:
            guard type == RenditionType.gif.rawValue, frames != nil, loopCount != nil else {
                return false
            }
        case .expanded:
            guard RenditionType(rawValue: type) != nil else { return false }
        default:
            guard [RenditionType.jpeg, .png].map(\.rawValue).contains(type) else { return false }
        }
        return size.isPlausible && fitsItsSurface
            && (role == .media || (size.width > 0 && size.height > 0))
            && (frames ?? 0).isCount && (loopCount ?? 0).isCount
            && duration.map(Manifest.Rendition.credibleDurations.contains) ?? true
    }
}

extension RenderedAttachment.Rendition {
    fileprivate var fitsItsSurface: Bool {
        guard let surface = Preset.allCases.first(where: { $0.role == role })?.surface else {
            return true
        }
        return size.width <= surface.size.width && size.height <= surface.size.height
            && size.pixelCount <= surface.maximumPixels
    }
}

extension PixelSize {
    var isPlausible: Bool { width.isCount && height.isCount }
}

extension Int {
    /// True for counts that every JSON reader represents exactly (RFC 8259, section 6).
    var isCount: Bool { (0...1 << 53).contains(self) }
}

extension String {
    /// True for short printable ASCII, such as format and coding names.
    var isWord: Bool {
        (1...64).contains(utf8.count) && utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    }

    /// True for text of at most `bytes` bytes without control characters.
    func isShort(_ bytes: Int) -> Bool {
        utf8.count <= bytes && !unicodeScalars.contains(where: \.isControl)
    }

    fileprivate func isPlausibleRung(isMedia: Bool) -> Bool {
        isMedia ? self == RenderedAttachment.passedThrough : Rung(rawValue: self) != nil
    }
}

extension Unicode.Scalar {
    /// True for characters that control a terminal or the text direction.
    public var isControl: Bool {
        [.control, .format, .lineSeparator, .paragraphSeparator, .surrogate]
            .contains(properties.generalCategory)
    }
}
