import AttachmentContainer
import AttachmentPipeline
import Foundation

/// Pictures made for tests.
enum VipsFixture {
    /// A smooth picture whose corners differ: red grows to the right, green downwards, blue along
    /// the diagonal.
    ///
    /// - Parameters:
    ///   - size: In pixels.
    ///   - alpha: The alpha of every pixel; nil for a picture without alpha.
    /// - Returns: The picture, tagged as sRGB.
    static func gradient(_ size: PixelSize, alpha: ((Int, Int) -> UInt8)? = nil) -> VipsImage {
        let bands = alpha == nil ? 3 : 4
        var samples: [UInt8] = []
        samples.reserveCapacity(size.pixelCount * bands)
        for row in 0..<size.height {
            for column in 0..<size.width {
                let right = column * 255 / max(1, size.width - 1)
                let down = row * 255 / max(1, size.height - 1)
                samples += [UInt8(right), UInt8(down), UInt8(255 - (right + down) / 2)]
                if let alpha { samples.append(alpha(column, row)) }
            }
        }
        do {
            return try VipsImage.from(samples: samples, size: size, bands: bands)
                .applying("copy", ["interpretation": .name("srgb")])
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// Opens a file with a loader.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - loader: The loader.
    /// - Returns: The picture.
    /// - Throws: What the loader throws.
    static func open(_ file: URL, with loader: VipsLoader) throws -> VipsImage {
        let handle = try FileHandle(forReadingFrom: file)
        return try VipsImage.open(VipsInput(descriptor: handle.fileDescriptor), with: loader)
            .inMemory()
    }
}

extension VipsImage {
    /// Encodes the picture to a file.
    ///
    /// - Parameters:
    ///   - file: Where to.
    ///   - saver: The operation's name.
    ///   - arguments: Its further arguments.
    /// - Throws: What the saver throws.
    func write(
        to file: URL, with saver: String, _ arguments: [String: VipsArgument] = [:]
    ) throws {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        try save(to: VipsOutput(descriptor: handle.fileDescriptor), with: saver, arguments)
        try handle.close()
    }
}

extension VipsLoader {
    /// The operation that writes what this loader reads.
    var saver: String {
        switch self {
        case .jpeg: "jpegsave_target"
        case .png: "pngsave_target"
        case .webp: "webpsave_target"
        case .gif: "gifsave_target"
        case .heif: "heifsave_target"
        case .tiff: "tiffsave_target"
        }
    }
}
