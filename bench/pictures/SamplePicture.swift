import AttachmentContainer
import AttachmentPipeline
import AttachmentVips
import Foundation

/// A sample file: scene and encoding.
struct SamplePicture: Sendable {
    /// Combination of separately encoded frames into a file.
    enum Assembly: Sendable {
        /// An animated PNG, with the delay per frame.
        case animatedPNG(milliseconds: Int)
        /// An AVI of JPEGs, with the frames per second.
        case motionJPEG(rate: Int)
        /// No scenes: the chime, as a WAV.
        case chime
    }

    /// Damage done after encoding.
    enum Damage: Sendable {
        /// Keeps only this share of the bytes.
        case cut(Double)
        /// Replaces the content by this text.
        case text(String)
    }

    let name: String
    /// More than one are the frames of an animation.
    var scenes: [any Scene] = []
    /// Upright, in pixels.
    var size = PixelSize(width: 0, height: 0)
    /// Samples along each side of a pixel.
    var samples = 2
    var film = Development()
    var encoding = Encoding.jpeg(quality: 80)
    /// Nil if the encoder writes the file.
    var assembly: Assembly?
    var damage: Damage?

    /// Draws the picture and writes the file.
    func write(to file: URL) async throws {
        if case .text(let text) = damage {
            try Data(text.utf8).write(to: file)
            return
        }
        var rasters: [Raster] = []
        for scene in scenes { rasters.append(await scene.rendered(size, samples: samples)) }
        if let assembly {
            try await assembled(assembly, rasters, beside: file).write(to: file)
            return
        }
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        try await encoding.write(
            rasters, film: film, to: VipsOutput(descriptor: handle.fileDescriptor))
        if case .cut(let share) = damage {
            try handle.truncate(atOffset: UInt64(Double(handle.seekToEnd()) * share))
        }
    }

    private func assembled(
        _ assembly: Assembly, _ rasters: [Raster], beside file: URL
    ) async throws -> Data {
        var frames: [Data] = []
        let part = file.appendingPathExtension("part")
        defer { try? FileManager.default.removeItem(at: part) }
        for raster in rasters {
            try Data().write(to: part)
            let handle = try FileHandle(forWritingTo: part)
            defer { try? handle.close() }
            try await encoding.write(
                [raster], film: film, to: VipsOutput(descriptor: handle.fileDescriptor))
            frames.append(try Data(contentsOf: part))
        }
        return switch assembly {
        case .animatedPNG(let milliseconds):
            AnimatedPNG.bytes(frames, milliseconds: milliseconds)
        case .motionJPEG(let rate): MotionJPEG.bytes(frames, size: size, rate: rate)
        case .chime: Chime.bytes
        }
    }
}
