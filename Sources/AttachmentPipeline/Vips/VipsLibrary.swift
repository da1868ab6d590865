internal import CVips
import Foundation
import Synchronization

/// The process-wide state of libvips: started once, set up small, open to no loader but ours.
package enum VipsLibrary {
    /// The version of the library that is linked, for example `8.14.1`.
    package static var version: String { String(cString: vips_version_string()) }

    /// Starts libvips on first use; the outcome is kept, so that every later call costs nothing.
    ///
    /// - Throws: `VipsError` when the library cannot start.
    static func start() throws(VipsError) {
        if let failure { throw failure }
    }

    /// Starts libvips ahead of its first use; a failure shows at that.
    static func warmUp() { _ = failure }

    /// Starts libvips in a process that does nothing else, without the modules that no loader of
    /// ours needs.
    ///
    /// ImageMagick, Poppler, OpenSlide and libjxl come with a hundred libraries: unneeded, they take
    /// 1.2 MB of every worker, 20 ms of its start, and offer what a hostile file could turn against
    /// it. Called before there is another thread, since the environment is shared by all.
    static func warmUpAlone() {
        isAlone.store(true, ordering: .relaxed)
        warmUp()
    }

    /// How many warnings there were that are no errors, such as those of libpng.
    static var warningCount: Int { warnings.load(ordering: .relaxed) }

    private static let warnings = Atomic(0)
    private static let isAlone = Atomic(false)

    private static let failure: VipsError? = {
        guard isAlone.load(ordering: .relaxed) ? initAlone() : vips_init("thimble") == 0
        else { return .drained(from: "vips_init") }
        thimble_handle_messages { _, level, _, _ in
            guard level.rawValue & G_LOG_LEVEL_WARNING.rawValue != 0 else { return }
            VipsLibrary.warnings.wrappingAdd(1, ordering: .relaxed)
        }
        // One attachment is one pipeline: threads and caches only multiply its footprint.
        vips_concurrency_set(1)
        vips_cache_set_max(0)
        vips_cache_set_max_mem(0)
        vips_cache_set_max_files(0)
        // 128 rows is the default: the rows that wait between two steps are most of a pipeline's
        // memory, and with 8 they stay in the processor's cache (measured: a tenth less time).
        // With fewer, libvips reads sequential pictures out of order.
        guard thimble_set_strip_height(8) != 0 else {
            return VipsError(operation: "vips_init", message: "does not take strip heights")
        }
        vips_operation_block_set("VipsForeignLoad", 1)
        for loader in VipsLoader.allCases {
            vips_operation_block_set(loader.className, 0)
        }
        return nil
    }()

    private static func initAlone() -> Bool {
        // Its modules are looked for under the folder that this names, else where it was built to.
        setenv("VIPSHOME", "/dev/null", 1)
        defer { unsetenv("VIPSHOME") }
        guard vips_init("thimble") == 0 else { return false }
        // Before any operation is looked up: their names are gathered once.
        thimble_load_module("vips-heif.so")
        return true
    }
}
