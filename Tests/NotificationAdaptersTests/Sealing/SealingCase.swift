import AttachmentContainer
import AttachmentModel
import Foundation
import Randomness
import SampleCiphertexts

/// A picture of the pairs, as `write_pictures.py` writes it.
struct SealingPicture: Hashable, CustomStringConvertible {
    enum Kind: String, CaseIterable {
        /// A JPEG with a profile, which is reduced, and one that may be kept or turned.
        case photograph, ready
        /// A PNG with transparency.
        case alpha
        /// WebP; the lossy one needs a scratch file, or libvips.
        case lossless, lossy
        case heic
        /// A GIF of three frames.
        case animated
    }

    let kind: Kind
    /// An Exif orientation, 1 for a format without.
    let orientation: Int

    init(_ kind: Kind, isTurned: Bool) {
        self.kind = kind
        orientation = isTurned && kind != .heic && kind != .animated ? 6 : 1
    }

    var description: String { "\(kind.rawValue)-\(orientation)" }
}

/// Encoders and searches of a case.
struct SealingMethod: Hashable {
    let name: String
    var isLinear = false
    var effort = ProcessingSettings.Effort.standard
    var targetScore: Double?
    var stillType: RenditionType?
}

/// One combination of sealing with what it meets.
struct SealingCase: Hashable, CustomStringConvertible {
    /// The way of the bytes into the extension.
    enum Origin: String, CaseIterable {
        case request, file, data, stream
        /// A server that refuses, so that only the picture inside the payload is left.
        case refused
    }

    /// What happens after the delivery.
    enum Ending: String, CaseIterable {
        /// Everything is forgotten.
        case forgotten
        /// Another notification with the same picture stays.
        case another
        /// The notification is delivered again, then forgotten.
        case again
        /// It is pinned, and forgotten after it is unpinned.
        case pinned
        /// A retention of ten minutes expires.
        case expired
    }

    let isSealed: Bool
    let scheme: SampleCiphertext.Scheme?
    let origin: Origin
    let picture: SealingPicture
    let presets: PresetSelection
    let ceiling: ByteCount
    let method: SealingMethod
    let cropRatio: Double?
    let engine: ProcessingSettings.EngineChoice
    /// True for a cap that leaves a few megabytes.
    let isTight: Bool
    /// True with a picture inside the payload beside the other one.
    let hasInlinePicture: Bool
    let ending: Ending

    var description: String {
        let words: [String?] = [
            isSealed ? "sealed" : "clear", scheme?.rawValue, origin.rawValue, "\(picture)",
            "\(presets)", "\(ceiling.bytes)", method.name, cropRatio.map { "crop-\($0)" },
            engine.rawValue, isTight ? "tight" : nil, hasInlinePicture ? "inline" : nil,
            ending.rawValue,
        ]
        return words.compactMap(\.self).joined(separator: " ")
    }

    var settings: ProcessingSettings {
        var settings = ProcessingSettings()
        (settings.width, settings.scale, settings.bannerSide) = (115, 1, 40)
        settings.presets = presets
        settings.maximumBytes = ceiling
        settings.isLinear = method.isLinear
        (settings.effort, settings.targetScore) = (method.effort, method.targetScore)
        settings.stillType = method.stillType
        settings.cropRatio = cropRatio
        settings.engine = engine
        return settings
    }
}

extension SealingCase {
    /// Values of the factors.
    private struct Factors {
        var sealings = [true, false]
        var schemes: [SampleCiphertext.Scheme?] = [nil] + SampleCiphertext.Scheme.allCases
        var origins = Origin.allCases
        var kinds = SealingPicture.Kind.allCases
        var presets: [PresetSelection] = [
            .content, PresetSelection(Preset.allCases), PresetSelection([.widget]),
        ]
        /// Not reached; reached at a lower quality; reached at a smaller size.
        var ceilings = [10_000_000, 3000, 1200].map { ByteCount($0) }
        var methods = [
            SealingMethod(name: "usual"), SealingMethod(name: "linear", isLinear: true),
            SealingMethod(name: "best", effort: .best),
            SealingMethod(name: "score", targetScore: 70),
            SealingMethod(name: "jpeg", stillType: .jpeg),
            SealingMethod(name: "png", effort: .best, stillType: .png),
            SealingMethod(name: "all", isLinear: true, effort: .best, targetScore: 70),
        ]
        var engines = ProcessingSettings.EngineChoice.allCases

        func pairwise(seed: UInt64) -> [SealingCase] {
            let counts = [
                sealings.count, schemes.count, origins.count, kinds.count, 2, presets.count,
                ceilings.count, methods.count, 2, engines.count, 2, 2, Ending.allCases.count,
            ]
            return Pairwise(counts, seed: seed).rows.map { row in
                SealingCase(
                    isSealed: sealings[row[0]], scheme: schemes[row[1]], origin: origins[row[2]],
                    picture: SealingPicture(kinds[row[3]], isTurned: row[4] == 1),
                    presets: presets[row[5]], ceiling: ceilings[row[6]], method: methods[row[7]],
                    cropRatio: row[8] == 1 ? 0.5 : nil, engine: engines[row[9]],
                    isTight: row[10] == 1, hasInlinePicture: row[11] == 1,
                    ending: Ending.allCases[row[12]])
            }
        }
    }

    /// Cases in which every pair of values meets, and every pair once more in a sealed picture that can be
    /// shown: a refusal hides what else a case has.
    static func pairwise(seed: UInt64) -> [SealingCase] {
        let all = Factors()
        var shown = all
        (shown.sealings, shown.engines) = ([true], [.automatic])
        shown.origins.removeAll { $0 == .refused }
        shown.kinds.removeAll { $0 == .lossy || $0 == .heic }
        return all.pairwise(seed: seed) + shown.pairwise(seed: seed)
    }
}
