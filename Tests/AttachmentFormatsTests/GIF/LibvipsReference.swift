import AttachmentFormats
import Foundation

/// libvips' results for GIFs, from one run of Python that calls the library.
///
/// The command's start takes longer than hundreds of these pictures.
enum LibvipsReference {
    /// A picture, or the reason for a refusal.
    enum Answer {
        case picture(RowLayout, [UInt8])
        case refusal(String)
    }

    /// Loads the first page of each file; throws if Python or libvips is missing.
    static func answers(to files: [[UInt8]]) throws -> [Answer] {
        let folder = URL(filePath: NSTemporaryDirectory())
            .appending(path: "thimble-gif-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (index, bytes) in files.enumerated() {
            try Data(bytes).write(to: folder.appending(path: "\(index).gif"))
        }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = ["-c", script, folder.path, "\(files.count)"]
        process.environment = ["PATH": "/usr/bin:/bin", "VIPS_WARNING": "0"]
        // Discards warnings about damage, which is deliberate.
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CocoaError(.executableLoad)
        }
        return try files.indices.map { index in
            let data = try Data(contentsOf: folder.appending(path: "\(index).out"))
            return parse([UInt8](data))
        }
    }

    /// Parses an answer.
    ///
    /// Its first line is `picture`, width, height and bands, or `refusal` and a reason.
    private static func parse(_ bytes: [UInt8]) -> Answer {
        let end = bytes.firstIndex(of: 10) ?? bytes.endIndex
        let line = String(decoding: bytes[..<end], as: UTF8.self)
        let words = line.split(separator: " ")
        guard words.first == "picture" else { return .refusal(line) }
        let numbers = words.dropFirst().compactMap { Int($0) }
        let layout = RowLayout(width: numbers[0], height: numbers[1], bands: numbers[2])
        return .picture(layout, Array(bytes[(end + 1)...]))
    }

    private static let script = #"""
        import ctypes, ctypes.util, sys

        def library(name):
            return ctypes.CDLL(ctypes.util.find_library(name))

        vips, glib, gobject = library("vips"), library("glib-2.0"), library("gobject-2.0")
        vips.vips_init(b"reference")
        vips.vips_cache_set_max(0)
        vips.vips_concurrency_set(1)
        vips.vips_gifload.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p]
        vips.vips_image_write_to_memory.restype = ctypes.c_void_p
        vips.vips_error_buffer.restype = ctypes.c_char_p

        def load(path):
            vips.vips_error_clear()
            image = ctypes.c_void_p()
            if vips.vips_gifload(path.encode(), ctypes.byref(image), None):
                return None
            size = [getattr(vips, "vips_image_get_" + name)(image)
                    for name in ("width", "height", "bands")]
            length = ctypes.c_size_t()
            memory = vips.vips_image_write_to_memory(image, ctypes.byref(length))
            gobject.g_object_unref(image)
            # After a fault libvips may give what lay in memory, and says so only here.
            if not memory or vips.vips_error_buffer():
                return None
            pixels = ctypes.string_at(memory, length.value)
            glib.g_free(ctypes.c_void_p(memory))
            return size, pixels

        for index in range(int(sys.argv[2])):
            path = f"{sys.argv[1]}/{index}"
            answer = load(path + ".gif")
            with open(path + ".out", "wb") as out:
                if answer:
                    out.write(b"picture %d %d %d\n" % tuple(answer[0]) + answer[1])
                else:
                    reason = vips.vips_error_buffer().replace(b"\n", b" ")
                    out.write(b"refusal " + reason + b"\n")
        """#
}
