import AttachmentContainer
import AttachmentPipeline
import Foundation

/// One file of the folder: what it shows, and how it is encoded.
struct SamplePicture: Sendable {
    /// How scenes that were encoded one by one become a file.
    enum Assembly: Sendable {
        /// An animated PNG, of PNGs, with the time that each is shown, in thousandths of a second.
        case animatedPNG(milliseconds: Int)
        /// An AVI, of JPEGs, with the frames a second.
        case motionJPEG(rate: Int)
        /// No scenes at all: a chime, as a WAV.
        case chime
    }

    /// What becomes of a file after it was encoded.
    enum Damage: Sendable {
        /// Only this share of its bytes is left.
        case cut(Double)
        /// Its bytes are this text instead.
        case text(String)
    }

    /// The file's name: the content and the property.
    let name: String
    /// What it shows; more than one are the frames of an animation.
    var scenes: [any Scene] = []
    /// In pixels, upright.
    var size = PixelSize(width: 0, height: 0)
    /// How many samples along each side of a pixel.
    ///
    /// The default is 2.
    var samples = 2
    /// How light becomes samples.
    ///
    /// The default is colour film.
    var film = Development()
    /// How samples become bytes.
    ///
    /// The default is a baseline JPEG.
    var encoding = Encoding.jpeg(quality: 80)
    /// The default is that the encoder makes the file.
    var assembly: Assembly?
    /// The default is none.
    var damage: Damage?

    /// Draws the picture and writes it to a file, which is replaced.
    ///
    /// - Parameter file: Where to.
    /// - Throws: `VipsError` with libvips' own words, or the error of a file that cannot be written.
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
