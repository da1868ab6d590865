import AttachmentContainer
import AttachmentFormats
import AttachmentPipeline
import AttachmentModel
import Foundation

extension FuzzTarget {
    /// Readers of all frames, and the GIF conversion.
    static let animations =
        AnimationFile.Format.allCases.map { format in
            FuzzTarget("\(format.rawValue)-animation") { input in
                input.withFile { draw($0, format) }
            }
        } + [
            FuzzTarget("animation-conversion") { input in
                input.withFile { file in
                    guard case .picture(let header) = try? probed(file),
                        let format = AnimationFile.Format(header.format)
                    else { return }
                    convert(file, format)
                }
            }
        ]

    private static func draw(_ file: OpenFile, _ format: AnimationFile.Format) {
        for isTolerant in [false, true] {
            let animation = AnimationFile(
                file, format: format, isTolerant: isTolerant)
            guard let frames = try? animation.frames(in: PlaneSpace(scratch)) else { continue }
            var drawnPixels = 0
            while drawnPixels < 1 << 20, let frame = try? frames.next() {
                drawnPixels += frame.codedPixels + frames.canvas.width
                guard (try? frames.draw()) != nil || isTolerant else { break }
            }
        }
    }

    private static func convert(_ file: OpenFile, _ format: AnimationFile.Format) {
        var settings = AnimationSettings()
        (settings.width, settings.height, settings.smallestSide) = (48, 48, 8)
        (settings.bytes, settings.renderBytes) = (4 << 10, 64 << 10)
        settings.limits.frames = 64
        (settings.limits.pixels, settings.limits.drawnPixels) = (1 << 14, 1 << 17)
        let animation = AnimationFile(file, format: format)
        guard
            let conversion = try? AnimationConversion(
                of: animation, settings: settings, in: PlaneSpace(scratch))
        else { return }
        guard let summary = try? conversion.run(to: .file(output), isCancelled: { false }) else {
            return
        }
        precondition(summary.bytes <= settings.bytes && summary.frames <= settings.limits.frames)
        precondition(summary.width * summary.height * 4 * summary.frames <= settings.renderBytes)
    }

    /// Output file for GIFs, unlinked and reused.
    private static let output = CInt(unnamed: "output")
}
