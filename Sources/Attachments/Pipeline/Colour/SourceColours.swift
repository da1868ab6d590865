import AttachmentFormats
package import AttachmentModel

/// Meaning of a decoded picture's samples: the one decision for every format and both engines.
///
/// An ICC profile, if it is whole and for the picture's own colour space; else the tags of HEIF (`nclx`) and
/// PNG (`cICP`, gamma and primaries), as a profile; else sRGB, for grey its transfer function, and for CMYK
/// the engine's press profile. Decoders have tone-mapped PQ and HLG.
///
/// A profile that cannot be used loses no pixel. It is ignored with a note, as browsers and libjpeg's
/// and libvips' programs do.
package struct SourceColours: Sendable {
    /// Colour model of the decoder's output.
    package enum Model: Sendable {
        case grey, rgb, cmyk

        var space: ICCColourSpace {
            switch self {
            case .grey: .grey
            case .rgb: .rgb
            case .cmyk: .cmyk
            }
        }
    }

    /// The profile to convert from; nil for the default of the model.
    package let profile: [UInt8]?
    /// True if the profile describes the tags of a file without a usable one.
    package let isOfTags: Bool
    /// The reason for ignoring a profile or a tag, or for assuming one, for the manifest; nil without
    /// one.
    package let note: String?

    /// - Parameters:
    ///   - model: The colour model of the decoded samples.
    ///   - profile: The decoder's profile; nil without one.
    ///   - isExpected: True if the header promises a profile.
    ///   - tags: The file's colours without a profile; nil for sRGB.
    package init(_ model: Model, profile: [UInt8]?, isExpected: Bool, tags: ColourTags? = nil) {
        let fault =
            if let profile {
                ColourProfile.fault(of: profile, for: model.space)
            } else {
                isExpected ? ColourProfile.unreadable : nil
            }
        if let profile, fault == nil {
            (self.profile, isOfTags, note) = (profile, false, nil)
            return
        }
        let synthesised = model == .cmyk ? nil : tags?.profile(isGrey: model == .grey)
        (self.profile, isOfTags) = (synthesised, synthesised != nil)
        // Libraries do not tone-map.
        let isFlat = tags?.isHighDynamicRange ?? false
        note =
            fault ?? tags?.note ?? (isFlat ? "high dynamic range was not tone-mapped" : nil)
            ?? (model == .cmyk ? Self.assumedPress : nil)
    }

    /// The note for inks without a profile, whose colours each program chooses.
    package static let assumedPress = "inks without a colour profile are shown as of a common press"
}
