import AttachmentContainer
import AttachmentPipeline
import AttachmentVips
import Foundation
import SampleMedia

/// Synthetic pictures.
enum VipsFixture {
    /// An sRGB gradient: red increases to the right, green downwards, blue against the diagonal.
    static func gradient(_ size: PixelSize, alpha: ((Int, Int) -> UInt8)? = nil) -> VipsImage {
        let bands = alpha == nil ? 3 : 4
        let samples = SamplePixels.gradient(width: size.width, height: size.height, alpha: alpha)
        do {
            return try VipsImage.from(samples: samples, size: size, bands: bands)
                .applying("copy", ["interpretation": .name("srgb")])
        } catch {
            preconditionFailure("\(error)")
        }
    }

    static func open(_ file: URL, with loader: VipsLoader) throws -> VipsImage {
        let handle = try FileHandle(forReadingFrom: file)
        return try VipsImage.open(VipsInput(descriptor: handle.fileDescriptor), with: loader)
            .inMemory()
    }
}

extension VipsImage {
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
    /// The saver for the loader's format.
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
