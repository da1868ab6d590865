import Foundation

/// Runs libpng for comparison.
enum LibPNG {
    private static let python = "/usr/bin/python3"

    /// True on Linux, where libvips brings the library.
    static let isAvailable: Bool = {
        #if os(Linux)
            FileManager.default.isExecutableFile(atPath: python)
        #else
            false
        #endif
    }()

    /// Uses libpng's simplified interface (png.h, `png_image`) with alpha and 16 bits per sample,
    /// which preserves every colour type and depth.
    private static let script = """
        import ctypes, sys

        class Image(ctypes.Structure):
            _fields_ = [("opaque", ctypes.c_void_p)] + [(name, ctypes.c_uint32) for name in (
                "version", "width", "height", "format", "flags", "colormap_entries",
                "warning_or_error")] + [("message", ctypes.c_char * 64)]

        libpng = ctypes.CDLL("libpng16.so.16")
        ALPHA, COLOR, LINEAR = 1, 2, 4

        def pixels(path):
            image = Image(version=1)
            if not libpng.png_image_begin_read_from_file(ctypes.byref(image), path.encode()):
                return image.message.decode()
            image.format = ALPHA | COLOR | LINEAR
            buffer = ctypes.create_string_buffer(image.width * image.height * 8)
            if not libpng.png_image_finish_read(ctypes.byref(image), None, buffer, 0, None):
                return image.message.decode()
            return image.width, image.height, image.warning_or_error, buffer.raw

        for first, second in zip(sys.argv[1::2], sys.argv[2::2]):
            decoded, other = pixels(first), pixels(second)
            print("same" if decoded == other and isinstance(decoded, tuple) else "different",
                  first, *(answer for answer in (decoded, other) if isinstance(answer, str)))
        """

    /// Decodes pairs of files and compares pixels, warnings and errors.
    ///
    /// Returns `same` and a name, or the difference, for each pair.
    static func compare(_ pairs: [(first: [UInt8], second: [UInt8])]) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "thimble-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        var arguments = ["-c", script]
        for (index, pair) in pairs.enumerated() {
            for (name, bytes) in [("first", pair.first), ("second", pair.second)] {
                let path = folder.appending(path: "\(name)\(index).png")
                try Data(bytes).write(to: path)
                arguments.append(path.path)
            }
        }
        let process = Process()
        process.executableURL = URL(filePath: python)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let answer = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: answer, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
