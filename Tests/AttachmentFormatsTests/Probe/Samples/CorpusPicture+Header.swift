import AttachmentModel
import SampleMedia

/// What the table says of a picture's header.
extension Corpus.Picture {
    var attachmentFormat: AttachmentFormat? { AttachmentFormat(rawValue: format.lowercased()) }

    /// True if the table has the upright size, as for HEIC; otherwise it has the stored size.
    var isSizeUpright: Bool { attachmentFormat == .heic }

    /// For HEIF the table counts pictures that are not frames in time.
    var frameCount: Int? {
        switch attachmentFormat {
        case .heic, .avif:
            // The table has no number for one sequence, of which FFmpeg decodes 120 frames.
            notes.contains("image sequence") ? Int(frames) ?? 120 : 1
        default: Int(frames)
        }
    }

    var coding: String {
        switch attachmentFormat {
        case .jpeg:
            if notes.contains("progressive") {
                "progressive"
            } else {
                notes.contains("arithmetic sequential") ? "arithmetic" : "baseline"
            }
        case .png: notes.contains("interlaced") ? "interlaced" : "sequential"
        // For an animation with both codings, the table and the first frame differ.
        case .webp:
            notes.contains("lossless") || notes.contains { $0.hasPrefix("animated") }
                ? "lossless" : "lossy"
        case .gif: "palette"
        // The table omits that the largest picture is a grid.
        case .heic, .avif:
            notes.contains("grid tiles") || file == "pillowheif__200MP.heic"
                ? "grid" : file == "pillowheif__alpha.heic" ? "overlay" : "single"
        case .tiff: "strips"
        case .bmp: "packed"
        default: ""
        }
    }

    /// Nil if the table has no orientation; the picture may be rotated nevertheless.
    var orientation: Orientation? {
        // XMP states this orientation; Exif states none, and the picture is upright.
        if file == "sdwebimage__TestJFIF.jpg" { return .upright }
        let turns: [String: Orientation] = [
            "irot 0": .upright, "irot 90": .rotated270, "irot 180": .rotated180,
            "irot 270": .rotated90,
        ]
        for note in notes where note.hasPrefix("orientation ") {
            return Int(note.dropFirst("orientation ".count)).flatMap(Orientation.init)
        }
        for note in notes { if let orientation = turns[note] { return orientation } }
        return attachmentFormat == .heic ? nil : .upright
    }

    /// Nil if unknown; for JPEG, WebP and HEIF, no entry means eight.
    var bits: Int? {
        if let bits = notes.compactMap({ $0.firstMatch(of: /(\d+)-bit/)?.1 }).first {
            return Int(bits)
        }
        switch attachmentFormat {
        case .jpeg, .webp, .heic, .avif: return 8
        case .tiff: return notes.contains { $0.contains("(16, 16, 16)") } ? 16 : 8
        default: return nil
        }
    }

    /// Nil for GIF, because the table considers all frames.
    var hasAlpha: Bool? {
        guard attachmentFormat != .gif else { return nil }
        let words = ["tRNS", "alpha", "alpha plane"]
        // An overlay of two pictures, one with an alpha plane, is opaque itself.
        return file != "pillowheif__alpha.heic"
            && notes.contains {
                words.contains($0) || $0.hasSuffix("RGBA") || $0.hasSuffix("grey+alpha")
            }
    }

    var hasProfile: Bool { notes.contains { $0.hasPrefix("ICC ") } }
}
