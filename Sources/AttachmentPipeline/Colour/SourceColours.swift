/// Meaning of a decoded picture's samples: the one decision for every format and both engines.
///
/// An ICC profile, if it is whole and for the picture's own colour space; else sRGB, for grey its transfer
/// function, and for CMYK the engine's press profile. Tags of HEIF and PNG (`nclx`, `cICP`, gamma and
/// primaries) are not read, but for the tone mapping of HEIF.
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

        var name: String { space == .grey ? "grey" : space.name }
    }

    /// The profile to convert from; nil for the default of the model.
    package let profile: [UInt8]?
    /// The reason for ignoring a profile, for the manifest; nil without one.
    package let note: String?

    /// - Parameters:
    ///   - model: The colour model of the decoded samples.
    ///   - profile: The decoder's profile; nil without one.
    ///   - isExpected: True if the header promises a profile.
    package init(_ model: Model, profile: [UInt8]?, isExpected: Bool) {
        guard let profile else {
            (self.profile, note) = (nil, isExpected ? Self.unreadable : nil)
            return
        }
        let read = ICCProfile(profile)
        guard let space = read.colourSpace else {
            (self.profile, note) = (nil, Self.unreadable)
            return
        }
        guard space == model.space else {
            self.profile = nil
            note =
                "the colour profile was ignored: it is for \(space.name), the picture is \(model.name)"
            return
        }
        (self.profile, note) = read.isReadable ? (profile, nil) : (nil, Self.unreadable)
    }

    /// The note for a profile that is cut, damaged, too long or of a kind without a conversion.
    package static let unreadable = "the colour profile was ignored: it cannot be read"
}
