import Foundation
import ProgramLaunch
import Subprocess

/// Files of a program: its executable file, its shared libraries and libvips' module.
struct ProgramFiles: Sendable {
    /// Paths, the executable file first, then libraries in loading order.
    let paths: [String]

    /// Lists the files that a start of the program with this environment maps.
    ///
    /// The dynamic linker lists the libraries and starts nothing (ld.so(8)): 2 ms for 35 libraries,
    /// 5 ms for 105. A linker without that feature starts the program, which prints its version.
    static func found(
        of executable: String, environment: [Environment.Key: String]
    ) async -> ProgramFiles {
        var libraries = await linked(executable, environment)
        if let module = vipsModule(of: libraries) {
            var environment = environment
            environment["LD_PRELOAD"] = module
            libraries += await linked(executable, environment)
        }
        var known: Set = [executable]
        return ProgramFiles(paths: [executable] + libraries.filter { known.insert($0).inserted })
    }

    private static func linked(
        _ executable: String, _ environment: [Environment.Key: String]
    ) async -> [String] {
        var environment = environment
        environment["LD_TRACE_LOADED_OBJECTS"] = "1"
        let result = try? await run(
            Configuration([executable, "--version"], environment: environment),
            output: .string(limit: 1 << 20), error: .discarded)
        return libraries(in: (result?.standardOutput ?? nil) ?? "")
    }

    /// Absolute paths in lines such as `libz.so.1 => /lib/libz.so.1 (0x00007f35)`.
    static func libraries(in text: String) -> [String] {
        text.split(separator: "\n").compactMap { line in
            line.split { $0 == " " || $0 == "\t" }.first { $0.hasPrefix("/") }.map(String.init)
        }
    }

    /// The module that workers load, in a folder beside libvips (`thimble_load_module`).
    private static func vipsModule(of libraries: [String]) -> String? {
        guard let library = libraries.first(where: { $0.contains("/libvips.so") }) else {
            return nil
        }
        let folder = URL(fileURLWithPath: library).deletingLastPathComponent().path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasPrefix("vips-modules-") }
            .map { "\(folder)/\($0)/vips-heif.so" }
            .first { FileManager.default.fileExists(atPath: $0) }
    }
}
