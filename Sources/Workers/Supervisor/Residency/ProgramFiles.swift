import Foundation
import ProgramLaunch
import Subprocess

/// Files of a program: its executable file, its shared libraries and libvips' module.
struct ProgramFiles: Sendable {
    /// Paths, the executable file first, then libraries in loading order.
    let paths: [String]

    /// Lists the files that a start of the program with this environment maps.
    ///
    /// The program's dynamic linker lists the libraries and starts nothing (`--list` of ld.so(8), also
    /// of musl): 2 ms for 35 libraries, 5 ms for 105. A script is listed alone.
    static func found(
        of executable: String, environment: [Environment.Key: String]
    ) async -> ProgramFiles {
        guard let linker = dynamicLinker(of: executable) else {
            return ProgramFiles(paths: [executable])
        }
        var libraries = await listed([linker, "--list", executable], environment)
        if let module = vipsModule(of: libraries) {
            libraries += await listed(
                [linker, "--preload", module, "--list", executable], environment)
        }
        var known: Set = [executable]
        return ProgramFiles(paths: [executable] + libraries.filter { known.insert($0).inserted })
    }

    private static func listed(
        _ words: [String], _ environment: [Environment.Key: String]
    ) async -> [String] {
        let result = try? await run(
            Configuration(words, environment: environment), output: .string(limit: 1 << 20),
            error: .discarded)
        return libraries(in: (result?.standardOutput ?? nil) ?? "")
    }

    /// The path in the segment `PT_INTERP` of a 64-bit, little-endian ELF file (elf(5)); nil without.
    static func dynamicLinker(of executable: String) -> String? {
        let descriptor = open(executable, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: 4096)
        let read = pread(descriptor, &head, head.count, 0)
        guard read >= 64, head.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]) else { return nil }
        head.removeLast(head.count - read)
        func number(_ offset: Int, _ length: Int) -> Int? {
            guard offset >= 0, offset + length <= head.count else { return nil }
            return head[offset..<offset + length].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        guard let first = number(32, 4), let size = number(54, 2), let count = number(56, 2)
        else { return nil }
        for header in (0..<count).map({ first + $0 * size }) where number(header, 4) == 3 {
            guard let start = number(header + 8, 4), let length = number(header + 32, 2),
                start + length <= head.count
            else { return nil }
            return String(decoding: head[start..<start + length].prefix { $0 != 0 }, as: UTF8.self)
        }
        return nil
    }

    /// Absolute paths in lines such as `libz.so.1 => /lib/libz.so.1 (0x00007f35)`.
    static func libraries(in text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            line.split { $0 == " " || $0 == "\t" }.first { $0.hasPrefix("/") }.map(String.init)
        }
    }

    /// The module that workers load, in a folder beside libvips (`thimble_load_module`).
    private static func vipsModule(of libraries: [String]) -> String? {
        guard let library = libraries.first(where: { $0.firstRange(of: "/libvips.so") != nil })
        else {
            return nil
        }
        let folder = URL(fileURLWithPath: library).deletingLastPathComponent().path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix("vips-modules-") }
            .map { "\(folder)/\($0)/vips-heif.so" }
            .first { FileManager.default.fileExists(atPath: $0) }
    }
}
