import AttachmentFormats
import Foundation
import Testing

/// A picture decoded by libheif as a whole, in our sample layout.
///
/// Samples above 8 bits are shifted to 16, and premultiplied colours are divided by alpha. Grey is
/// RGB.
struct LibheifReference {
    let layout: RowLayout
    let profile: [UInt8]
    let rows: [UInt8]

    /// Decodes files in one process; nil for those that libheif refuses.
    static func decode(_ paths: [String]) throws -> [LibheifReference?] {
        let folder = try TemporaryFolder()
        try script.write(toFile: folder.path + "/decode.py", atomically: true, encoding: .utf8)
        try paths.joined(separator: "\n")
            .write(toFile: folder.path + "/list", atomically: true, encoding: .utf8)
        try Tool.run("/usr/bin/python3", folder.path + "/decode.py", folder.path)
        return try paths.indices.map { index in
            try LibheifReference(Data(contentsOf: URL(filePath: folder.path + "/\(index)")))
        }
    }

    /// Nil for a refusal.
    private init?(_ data: Data) throws {
        let end = try #require(data.firstIndex(of: 10))
        let fields = String(decoding: data[..<end], as: UTF8.self).split(separator: " ")
            .compactMap { Int($0) }
        guard fields.count == 5 else { return nil }
        layout = RowLayout(
            width: fields[0], height: fields[1], bands: fields[2], bytesPerSample: fields[3])
        profile = Array(data[(end + 1)...].prefix(fields[4]))
        rows = Array(data[(end + 1 + fields[4])...])
    }

    /// Calls libheif's C interface from Python.
    private static let script = """
        import ctypes as C, numpy, sys
        L = C.CDLL("libheif.so.1")
        class Fault(C.Structure):
            _fields_ = [("code", C.c_int), ("sub", C.c_int), ("text", C.c_char_p)]
        for name in ["heif_context_alloc", "heif_image_get_plane_readonly"]:
            getattr(L, name).restype = C.c_void_p
        for name in ["heif_context_read_from_file", "heif_context_get_primary_image_handle",
                     "heif_decode_image", "heif_image_handle_get_raw_color_profile"]:
            getattr(L, name).restype = Fault
        L.heif_image_handle_get_raw_color_profile_size.restype = C.c_size_t
        def decode(path):
            context = C.c_void_p(L.heif_context_alloc())
            handle, image, stride = C.c_void_p(), C.c_void_p(), C.c_int()
            try:
                for fault in [
                    lambda: L.heif_context_read_from_file(context, path.encode(), None),
                    lambda: L.heif_context_get_primary_image_handle(context, C.byref(handle))]:
                    if fault().code: return b"refused\\n"
                alpha = bool(L.heif_image_handle_has_alpha_channel(handle))
                bits = L.heif_image_handle_get_luma_bits_per_pixel(handle)
                # Interleaved RGB, RGBA, and little-endian RRGGBB, RRGGBBAA.
                chroma = [[10, 11], [14, 15]][bits > 8][alpha]
                if L.heif_decode_image(handle, C.byref(image), 1, chroma, None).code:
                    return b"refused\\n"
                width = L.heif_image_get_primary_width(image)
                height = L.heif_image_get_primary_height(image)
                plane = L.heif_image_get_plane_readonly(image, 10, C.byref(stride))
                kind, bands = ("<u2" if bits > 8 else "u1"), (4 if alpha else 3)
                row = width * bands * (2 if bits > 8 else 1)
                data = b"".join(C.string_at(plane + y * stride.value, row) for y in range(height))
                pixels = numpy.frombuffer(data, kind).reshape(height, width, bands)
                if L.heif_image_is_premultiplied_alpha(image):
                    wide, opacity = pixels.astype(numpy.int64), pixels[..., 3:].astype(numpy.int64)
                    largest = (1 << bits) - 1
                    straight = (wide * largest + opacity // 2) // numpy.maximum(opacity, 1)
                    wide = numpy.where(opacity == 0, 0, numpy.minimum(straight, largest))
                    pixels = numpy.concatenate([wide[..., :3], opacity], -1).astype(kind)
                if bits > 8: pixels = (pixels << (16 - bits)).astype(kind)
                length = L.heif_image_handle_get_raw_color_profile_size(handle)
                profile = C.create_string_buffer(max(1, length))
                if length: L.heif_image_handle_get_raw_color_profile(handle, profile)
                head = "%d %d %d %d %d\\n" % (width, height, pixels.shape[2], pixels.itemsize, length)
                return head.encode() + profile.raw[:length] + pixels.tobytes()
            finally:
                if image: L.heif_image_release(image)
                if handle: L.heif_image_handle_release(handle)
                L.heif_context_free(context)
        folder = sys.argv[1]
        for index, path in enumerate(open(folder + "/list").read().split("\\n")):
            with open("%s/%d" % (folder, index), "wb") as out: out.write(decode(path))
        """
}
