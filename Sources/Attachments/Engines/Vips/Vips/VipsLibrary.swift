internal import AttachmentContainer
import Foundation

#if SYSTEM_CODECS
    internal import CVips
#elseif BinaryVips
    internal import CVipsFramework
#endif

/// The process-wide state of libvips: started once, small caches, only our own loaders enabled.
package enum VipsLibrary {
    package static var version: String { String(cString: vips_version_string()) }

    /// Starts libvips on first use; later calls cost nothing.
    static func start() throws(VipsError) {
        if let failure { throw failure }
    }

    /// Starts libvips early; a failure is thrown on first use.
    static func warmUp() { _ = failure }

    /// Starts libvips in a dedicated process, without unneeded modules.
    ///
    /// ImageMagick, Poppler, OpenSlide and libjxl load a hundred libraries. They would take 1.2 MB
    /// and 20 ms of every worker and add attack surface. Call this before a second thread exists,
    /// because it changes the environment.
    static func warmUpAlone() {
        isAlone.withLock { $0 = true }
        warmUp()
    }

    /// Number of warnings that are not errors, such as libpng's.
    static var warningCount: Int { warnings.withLock { $0 } }

    private static let warnings = Lock(0)
    private static let isAlone = Lock(false)

    private static let failure: VipsError? = {
        guard isAlone.withLock({ $0 }) ? initAlone() : vips_init("thimble") == 0
        else { return .drained(from: "vips_init") }
        thimble_handle_messages { _, level, _, _ in
            guard level.rawValue & G_LOG_LEVEL_WARNING.rawValue != 0 else { return }
            VipsLibrary.warnings.withLock { $0 += 1 }
        }
        // An attachment is one pipeline; threads and caches only increase its footprint.
        vips_concurrency_set(1)
        vips_cache_set_max(0)
        vips_cache_set_max_mem(0)
        vips_cache_set_max_files(0)
        // The default is 128 rows. Rows buffered between steps are most of a pipeline's memory, and
        // 8 of them stay in the processor's cache (measured: a tenth less time). With fewer,
        // libvips reads sequential pictures out of order.
        guard thimble_set_strip_height(8) != 0 else {
            return VipsError(operation: "vips_init", message: "cannot set the strip height")
        }
        vips_operation_block_set("VipsForeignLoad", 1)
        for loader in VipsLoader.allCases {
            vips_operation_block_set(loader.className, 0)
        }
        return nil
    }()

    private static func initAlone() -> Bool {
        // libvips looks for modules under this folder, else under its build prefix.
        setenv("VIPSHOME", "/dev/null", 1)
        defer { unsetenv("VIPSHOME") }
        guard vips_init("thimble") == 0 else { return false }
        // Before the first operation lookup, which caches the list of operations.
        thimble_load_module("vips-heif.so")
        return true
    }
}
