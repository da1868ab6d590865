import CWebP
import Testing

/// Encodes lossy images with several partitions, for which cwebp has no option.
enum PartitionedWebP {
    /// Encodes an RGB image as a simple file; `partitions` is a power of two, 0 to 3.
    static func encode(_ samples: WebPSamples, partitions: Int) throws -> [UInt8] {
        var configuration = WebPConfig()
        try #require(WebPConfigInit(&configuration) != 0)
        configuration.quality = 97
        configuration.method = 2
        configuration.partitions = CInt(partitions)
        var picture = WebPPicture()
        try #require(WebPPictureInit(&picture) != 0)
        defer { WebPPictureFree(&picture) }
        picture.width = CInt(samples.width)
        picture.height = CInt(samples.height)
        try #require(WebPPictureImportRGB(&picture, samples.values, CInt(3 * samples.width)) != 0)
        var writer = WebPMemoryWriter()
        WebPMemoryWriterInit(&writer)
        defer { WebPMemoryWriterClear(&writer) }
        picture.writer = { WebPMemoryWrite($0, $1, $2) }
        let isEncoded = withUnsafeMutablePointer(to: &writer) { writer in
            picture.custom_ptr = UnsafeMutableRawPointer(writer)
            return WebPEncode(&configuration, &picture) != 0
        }
        try #require(isEncoded)
        return Array(UnsafeBufferPointer(start: writer.mem, count: writer.size))
    }
}
