public import AttachmentContainer
internal import Foundation

/// Limit on this process's private writable memory, set so that its footprint stays under a cap.
///
/// `RLIMIT_DATA` bounds private writable mappings (`VmData` of proc(5)), touched or not. Two other
/// parts of the footprint stop growing once all libraries are loaded. One is written pages of
/// mappings that are read-only now (the loader's relocations). The other is the main thread's
/// stack, which `RLIMIT_STACK` bounds. Therefore:
///
///     limit = cap - relocations - RLIMIT_STACK + untouched statics
///
/// The footprint then stays under the cap even when every heap page and every stack is touched. The
/// formula assumes that static library data untouched at start stays untouched (8 of 9 MB, measured
/// with libvips 8.14.1). Without that term, a cap of 12 MiB would leave nothing. Callers must also
/// watch the footprint, because a library may break the assumption.
public struct DataLimit: Sendable, Hashable, Codable {
    /// Value of `RLIMIT_DATA` by the formula; under a very small cap the limit in force is larger.
    public let limit: ByteCount
    /// Private writable mappings when the limit was computed.
    public let data: ByteCount
    /// Footprint outside ``data`` and the main thread's stack.
    public let relocations: ByteCount
    /// Static data outside the footprint, assumed to stay untouched.
    public let untouchedStatics: ByteCount
    /// Mapped or granted stack memory outside the footprint, which work cannot use.
    public let untouched: ByteCount

    /// Memory that can still be mapped, in addition to free memory inside ``data``.
    public var room: ByteCount { ByteCount(max(0, limit.bytes - data.bytes)) }

    #if os(Linux)
        /// `stack` is the maximum size of the main thread's stack, in bytes.
        init(cap: ByteCount, memory: MappedMemory, stack: Int) {
            limit = ByteCount(
                max(0, cap.bytes - memory.relocations - stack + memory.untouchedStatics))
            data = ByteCount(memory.data)
            relocations = ByteCount(memory.relocations)
            untouchedStatics = ByteCount(memory.untouchedStatics)
            untouched = ByteCount(
                max(0, memory.data - memory.touchedData - memory.untouchedStatics)
                    + max(0, stack - memory.touchedStack))
        }
    #endif

    /// Computes the limit for a cap, and sets it.
    ///
    /// Call it after all libraries are loaded and all long-lived threads are running.
    ///
    /// - Parameter cap: The footprint that must never be reached.
    /// - Returns: The limit in force, or nil when the system does not report mappings or rejects
    ///   the limit. Always nil outside Linux, where `RLIMIT_DATA` covers only the heap's break.
    public static func set(forCap cap: ByteCount) -> DataLimit? {
        #if os(Linux)
            keepStacksSmall()
            guard let memory = MappedMemory(of: "self") else { return nil }
            var stack = rlimit()
            guard getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &stack) == 0 else {
                return nil
            }
            // Not below the current size: the next call would overflow the stack.
            stack.rlim_cur = min(stack.rlim_cur, rlim_t(max(mainStack, memory.stack)))
            guard setrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &stack) == 0 else {
                return nil
            }
            let limit = DataLimit(cap: cap, memory: memory, stack: Int(stack.rlim_cur))
            var data = rlimit()
            // With less the process could not even refuse an attachment. The budget stays the cap's.
            data.rlim_cur = rlim_t(max(limit.limit.bytes, limit.data.bytes + refusalRoom))
            data.rlim_max = data.rlim_cur
            guard setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &data) == 0 else {
                return nil
            }
            return limit
        #else
            return nil
        #endif
    }

    #if os(Linux)
        /// Gives new threads small stacks: `RLIMIT_DATA` counts whole stacks.
        private static func keepStacksSmall() {
            // A GNU extension that the Swift overlay of the C library omits.
            typealias SetDefault = @convention(c) (UnsafePointer<pthread_attr_t>) -> CInt
            guard let symbol = dlsym(nil, "pthread_setattr_default_np") else { return }
            ThreadAttributes.with { attributes in
                // libvips requests 2 MB for its threads; its pipelines touch 40 kB.
                pthread_attr_setstacksize(attributes, threadStack)
                _ = unsafeBitCast(symbol, to: SetDefault.self)(attributes)
            }
        }
    #endif

    /// Stack size of threads started under the limit, in bytes.
    ///
    /// This is musl's default, under which these decoders run. The largest stack measured is 40 KiB
    /// (`bench/results/stacks.md`). Work that needs more runs on a `DeepStack`.
    public static let threadStack = 128 << 10

    /// Least memory that can still be mapped, for reading headers and planning, in bytes.
    private static let refusalRoom = 1 << 20

    /// Limit on the main thread's stack, in bytes; workers decode on it.
    ///
    /// The largest stack measured is 76 KiB (`bench/results/stacks.md`).
    private static let mainStack = 256 << 10
}
