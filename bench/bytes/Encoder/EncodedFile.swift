import ArgumentParser
import AttachmentFormats
import AttachmentModel
import AttachmentPipeline
import CJPEGEncoder
import Foundation

/// The bytes of a JPEG by the encoder of the engine of rows.
final class EncodedFile {
    private(set) var bytes: [UInt8] = []

    /// Encodes a picture as 4:2:0.
    ///
    /// - Throws: `ValidationError` without memory.
    init(_ picture: PixelFile, quality: Int, effort: ProcessingSettings.Effort) throws {
        let encoder = try encoder(
            picture.width, picture.height, THIMBLE_JPEG_LAYOUT_RGB_420, quality, effort)
        defer { thimble_jpeg_encoder_free(encoder) }
        for y in 0..<picture.height {
            picture.withRow(y) { _ = thimble_jpeg_encoder_row(encoder, $0) }
        }
        try finish(encoder)
    }

    /// Encodes planes.
    init(_ planes: Planes, quality: Int, effort: ProcessingSettings.Effort) throws {
        let encoder = try encoder(
            planes.width, planes.height, THIMBLE_JPEG_LAYOUT_YCBCR_420, quality, effort)
        defer { thimble_jpeg_encoder_free(encoder) }
        planes.forEachUnit { unit in
            let pointers: [UnsafePointer<UInt8>?] = unit.map { UnsafePointer($0) }
            _ = thimble_jpeg_encoder_planes(encoder, pointers, planes.strides)
        }
        try finish(encoder)
    }

    /// Bytes that an encoder of planes allocates, all of them when it is created: the mean of many at
    /// once, by the data size of the process (statm of proc(5)).
    static func memory(
        _ planes: Planes, quality: Int, effort: ProcessingSettings.Effort
    ) throws -> Int {
        let (file, count) = (EncodedFile(), 64)
        let before = try dataPages
        var encoders: [OpaquePointer] = []
        defer { encoders.forEach(thimble_jpeg_encoder_free) }
        for _ in 0..<count {
            encoders.append(
                try file.encoder(
                    planes.width, planes.height, THIMBLE_JPEG_LAYOUT_YCBCR_420, quality, effort))
        }
        return try (dataPages - before) * Int(getpagesize()) / count
    }

    private static var dataPages: Int {
        get throws {
            let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
            let fields = text.split(separator: " ").compactMap { Int($0) }
            guard fields.count > 5 else { throw ValidationError("statm has no data size") }
            return fields[5]
        }
    }

    private init() {}

    private func encoder(
        _ width: Int, _ height: Int, _ layout: thimble_jpeg_layout, _ quality: Int,
        _ effort: ProcessingSettings.Effort
    ) throws -> OpaquePointer {
        var settings = thimble_jpeg_settings(effort.tables, quality: quality)
        (settings.width, settings.height) = (CInt(width), CInt(height))
        settings.layout = layout
        // The encoder is freed before this object.
        let context = Unmanaged.passUnretained(self).toOpaque()
        guard
            let encoder = thimble_jpeg_encoder_new(
                &settings,
                { context, bytes, count in
                    guard let context, let bytes else { return -1 }
                    let file = Unmanaged<EncodedFile>.fromOpaque(context).takeUnretainedValue()
                    file.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
                    return count
                }, context)
        else { throw ValidationError("there is no memory for the encoder") }
        return encoder
    }

    private func finish(_ encoder: OpaquePointer) throws {
        guard thimble_jpeg_encoder_finish(encoder) == THIMBLE_JPEG_ENCODED else {
            throw ValidationError("the picture cannot be encoded")
        }
    }
}
