package import AttachmentContainer
package import AttachmentModel
package import AttachmentWorker
package import Foundation
import Randomness

/// A picture of the matrix: a kind of file in an orientation.
package struct MatrixPicture: Sendable, Hashable {
    /// Name of the kind's folder, such as `png-16-bit-alpha`.
    package let kind: String
    /// An Exif orientation, from 1 to 8.
    package let orientation: Int
    /// The file.
    package let url: URL
}

/// The kind of the reduction and of the search for an encoding, and the threads for them.
package struct MatrixMethod: Sendable, Hashable {
    /// True if light is averaged.
    package var isLinear = false
    /// The effort of the encoder.
    package var effort = ProcessingSettings.Effort.standard
    /// The score that JPEGs aim at; nil for a quality.
    package var targetScore: Double?
    /// The threads for decoding.
    package var threads = DecodingThreads.one

    /// Words for what differs from the default.
    fileprivate var words: [String] {
        [
            isLinear ? "linear" : nil, effort == .standard ? nil : effort.rawValue,
            targetScore.map { "score-\(Int($0))" },
            threads == .one ? nil : "\(threads.rawValue)-threads",
        ].compactMap(\.self)
    }
}

/// One combination of a picture, options, cap and enforcement.
package struct MatrixCase: Sendable, Hashable, CustomStringConvertible {
    /// The attachment.
    package let picture: MatrixPicture
    /// Height divided by width of the rendition; nil for the whole picture.
    package let cropRatio: Double?
    /// The byte ceiling of a rendition.
    package let ceiling: ByteCount
    /// The colour space of the renditions.
    package let colourSpace: ProcessingSettings.ColourSpace
    /// The width of the display, in points.
    package let width: Double
    /// The cap on the worker.
    package let cap: MemoryCap
    /// The enforcement of the cap.
    package let enforcement: Enforcement
    /// The choice of the engine.
    package let engine: ProcessingSettings.EngineChoice
    /// The method of reduction and encoding.
    package let method: MatrixMethod
    /// The surfaces of the renditions.
    package let presets: PresetSelection

    /// The settings of the case.
    package var settings: ProcessingSettings {
        var settings = ProcessingSettings()
        settings.cropRatio = cropRatio
        settings.maximumBytes = ceiling
        settings.colourSpace = colourSpace
        settings.width = width
        settings.cap = cap
        settings.engine = engine
        settings.isLinear = method.isLinear
        (settings.effort, settings.targetScore) = (method.effort, method.targetScore)
        settings.presets = presets
        return settings
    }

    /// All values as words, in the order of the factors.
    package var description: String {
        let words = [
            picture.kind, "\(picture.orientation)", cropRatio.map { "crop-\($0)" } ?? "whole",
            "\(ceiling)".filter { $0 != " " }, colourSpace.rawValue, "\(Int(width))pt",
            "\(cap)".filter { $0 != " " }, enforcement.rawValue, engine.rawValue,
        ]
        return (words + method.words + (presets == .content ? [] : ["\(presets)"]))
            .joined(separator: " ")
    }
}

/// The factors of the matrix and their values.
package struct MatrixFactors: Sendable {
    /// Files by kind, then by orientation.
    private let kinds: [(name: String, files: [Int: URL])]
    private let enforcements: [Enforcement]
    private let presets: [PresetSelection]

    private static let orientations = Array(1...8)
    /// The whole picture, a square, a wide part.
    private static let cropRatios: [Double?] = [nil, 1, 0.5]
    /// Not reached; reached at a lower quality; reached at a smaller size.
    private static let ceilings: [ByteCount] = [
        .megabytes(10), ByteCount(150_000), ByteCount(40_000),
    ]
    private static let colourSpaces = ProcessingSettings.ColourSpace.allCases
    /// A watch, the widest phone, and a width at which the render budget is the bound.
    private static let widths: [Double] = [160, 440, 1000]
    private static let caps = [8, 12, 16, 24, 50].map { MemoryCap(.mebibytes($0)) }
    private static let engines = ProcessingSettings.EngineChoice.allCases
    /// One factor of four values: a factor each would double the whole product.
    private static let methods = [
        MatrixMethod(threads: .two), MatrixMethod(isLinear: true),
        MatrixMethod(effort: .best, targetScore: 75),
        MatrixMethod(isLinear: true, effort: .best, targetScore: 75, threads: .two),
    ]

    /// The kernel enforcements available on this machine.
    package static var availableEnforcements: [Enforcement] {
        (try? ControlGroupHierarchy.delegated()) == nil ? [.rlimit] : [.cgroup, .rlimit]
    }

    /// Lists the pictures in a folder.
    ///
    /// Each selection of presets is a value of a factor of its own.
    package init(
        picturesIn folder: URL, enforcements: [Enforcement],
        presets: [PresetSelection] = [.content]
    ) throws {
        let files = FileManager.default
        kinds = try files.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { !$0.lastPathComponent.hasPrefix(".") && $0.pathExtension.isEmpty }
            .map { kind in
                let pictures = try files.contentsOfDirectory(
                    at: kind, includingPropertiesForKeys: nil)
                let byOrientation = pictures.compactMap { url in
                    Int(url.deletingPathExtension().lastPathComponent).map { ($0, url) }
                }
                return (kind.lastPathComponent, Dictionary(byOrientation) { first, _ in first })
            }
            .filter { $0.1[1] != nil }
            .sorted { $0.0 < $1.0 }
        self.enforcements = enforcements
        self.presets = presets
    }

    /// The kinds of pictures.
    package var kindNames: [String] { kinds.map(\.name) }

    /// The number of values of each factor.
    package var counts: [Int] {
        [
            kinds.count, Self.orientations.count, Self.cropRatios.count, Self.ceilings.count,
            Self.colourSpaces.count, Self.widths.count, Self.caps.count, enforcements.count,
            Self.engines.count, Self.methods.count,
        ] + (presets.count > 1 ? [presets.count] : [])
    }

    /// A case by the indexes of its values.
    ///
    /// Returns nil if the kind has no file in that orientation.
    package func makeCase(_ row: [Int]) -> MatrixCase? {
        let orientation = Self.orientations[row[1]]
        guard let url = kinds[row[0]].files[orientation] else { return nil }
        return MatrixCase(
            picture: MatrixPicture(
                kind: kinds[row[0]].name, orientation: orientation, url: url),
            cropRatio: Self.cropRatios[row[2]], ceiling: Self.ceilings[row[3]],
            colourSpace: Self.colourSpaces[row[4]], width: Self.widths[row[5]],
            cap: Self.caps[row[6]], enforcement: enforcements[row[7]], engine: Self.engines[row[8]],
            method: Self.methods[row[9]], presets: presets[row.count > 10 ? row[10] : 0])
    }

    /// Cases that cover every pair of values.
    ///
    /// Kinds without orientations are upright in place of every orientation.
    package func pairwise(seed: UInt64) -> [MatrixCase] {
        Pairwise(counts, seed: seed).rows.compactMap { row in
            makeCase(row) ?? makeCase([row[0], 0] + row.dropFirst(2))
        }
    }

    /// The whole product.
    package var all: [MatrixCase] {
        let total = counts.reduce(1, *)
        return (0..<total).compactMap { number in
            var rest = number
            return makeCase(
                counts.map { count in
                    defer { rest /= count }
                    return rest % count
                })
        }
    }
}
