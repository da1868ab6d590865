internal import AttachmentContainer
internal import AttachmentPlanning

extension RenderedAttachment {
    /// Whether the facts can be those of an attachment.
    ///
    /// A worker that was taken over says what it likes, and what it says stands in a manifest. Byte
    /// counts, crops, colours and placeholders are not looked at here: what cannot be one is refused
    /// when it is read.
    ///
    /// - Parameter outputs: How many files there are for renditions.
    /// - Returns: True when they can be.
    package func isPlausible(outputs: Int) -> Bool {
        let used = renditions.compactMap(\.output)
        return Set(used).count == used.count && used.allSatisfy((0..<outputs).contains)
            && Self.roles.contains(renditions.map(\.role))
            && renditions.allSatisfy(\.isPlausible) && source.isPlausible
            && rung.isPlausibleRung(isMedia: renditions.first?.role == .media)
            && notes.count <= Self.mostNotes && notes.allSatisfy { $0.isShort(1024) }
    }

    /// The roles that renditions of one attachment have, in this order.
    private static let roles: [[RenditionRole]] = [
        [.expanded, .banner], [.attachment, .expanded, .banner], [.media],
    ]
    /// How many notes there may be: a few for each step of the pipeline.
    private static let mostNotes = 32
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
        default:
            guard [RenditionType.jpeg, .png].map(\.rawValue).contains(type) else { return false }
        }
        return size.isPlausible && (role == .media || (size.width > 0 && size.height > 0))
            && (frames ?? 0).isCount && (loopCount ?? 0).isCount
            && duration.map(Manifest.Rendition.credibleDurations.contains) ?? true
    }
}

extension PixelSize {
    var isPlausible: Bool { width.isCount && height.isCount }
}

extension Int {
    /// Whether it counts something: up to what every reader of JSON keeps exactly (RFC 8259, section
    /// 6).
    var isCount: Bool { (0...1 << 53).contains(self) }
}

extension String {
    /// Whether it is a short text of printable ASCII, as formats and codings are named.
    var isWord: Bool {
        (1...64).contains(utf8.count) && utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    }

    /// Whether it is a line of at most so many bytes, without control characters.
    func isShort(_ bytes: Int) -> Bool {
        utf8.count <= bytes && !unicodeScalars.contains(where: \.isControl)
    }

    fileprivate func isPlausibleRung(isMedia: Bool) -> Bool {
        isMedia ? self == RenderedAttachment.passedThrough : Plan.Rung(rawValue: self) != nil
    }
}

extension Unicode.Scalar {
    /// Whether it controls a terminal, or the order in which text is shown.
    package var isControl: Bool {
        [.control, .format, .lineSeparator, .paragraphSeparator, .surrogate]
            .contains(properties.generalCategory)
    }
}
