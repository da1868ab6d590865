public import AttachmentContainer
internal import Foundation

/// A limit that this process sets itself, so that its footprint stays under a cap.
///
/// `RLIMIT_DATA` bounds the private writable mappings (`VmData` of proc(5)), touched or not. What else
/// is footprint cannot grow any more once all libraries are loaded: pages of mappings that were
/// written to and are read-only now, which are the loader's relocations; and the main thread's stack,
/// which `RLIMIT_STACK` bounds. So with
///
///     limit = cap - relocations - RLIMIT_STACK + untouched statics
///
/// the footprint stays under the cap even when every heap page and every thread's stack is touched.
/// Static data of the libraries that no page of was touched while they were started (8 MB of 9 MB,
/// measured with libvips 8.14.1) is taken to stay so: without that term a cap of 12 MiB would leave
/// nothing. Who relies on the limit watches the footprint as well, for the library that breaks it.
public struct DataLimit: Sendable, Hashable, Codable {
    /// What `RLIMIT_DATA` is set to.
    public let limit: ByteCount
    /// Private writable mappings when the limit was computed.
    public let data: ByteCount
    /// What is footprint and neither in ``data`` nor stack.
    public let relocations: ByteCount
    /// Static data that is not footprint, and taken not to become so.
    public let untouchedStatics: ByteCount
    /// What else is mapped, or granted to the main thread's stack, and not footprint yet: lost to
    /// work, above all in the threads' stacks.
    public let untouched: ByteCount

    /// What can still be mapped, on top of what is free inside ``data``.
    public var room: ByteCount { ByteCount(max(0, limit.bytes - data.bytes)) }

    #if os(Linux)
        /// Does the arithmetic.
        ///
        /// - Parameters:
        ///   - cap: The footprint that must never be reached.
        ///   - memory: What is mapped now.
        ///   - stack: The most that the main thread's stack may grow to, in bytes.
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
    /// Call it when all libraries are loaded and every thread that stays is running.
    ///
    /// - Parameter cap: The footprint that must never be reached.
    /// - Returns: The limit in force; nil when the system does not say what is mapped, does not take
    ///   the limit, or counts nothing but the heap's break against it, as all but Linux do.
    public static func set(forCap cap: ByteCount) -> DataLimit? {
        #if os(Linux)
            keepStacksSmall()
            guard let memory = MappedMemory(of: "self") else { return nil }
            var stack = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &stack)
            // Down to as far as it has grown, and no further: the next call would be the last.
            stack.rlim_cur = min(stack.rlim_cur, rlim_t(max(mainStack, memory.stack)))
            setrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &stack)
            let limit = DataLimit(cap: cap, memory: memory, stack: Int(stack.rlim_cur))
            var data = rlimit()
            data.rlim_cur = rlim_t(limit.limit.bytes)
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
        /// Lets threads that start from now on have small stacks, since those count whole.
        private static func keepStacksSmall() {
            // A GNU extension, which the C library's module for Swift leaves out.
            typealias SetDefault = @convention(c) (UnsafePointer<pthread_attr_t>) -> CInt
            var attributes = pthread_attr_t()
            guard let symbol = dlsym(nil, "pthread_setattr_default_np"),
                pthread_attr_init(&attributes) == 0
            else { return }
            defer { pthread_attr_destroy(&attributes) }
            // libvips asks for 2 MB for its threads, of which its pipelines touch 40 kB.
            pthread_attr_setstacksize(&attributes, threadStack)
            _ = unsafeBitCast(symbol, to: SetDefault.self)(&attributes)
        }
    #endif

    /// The stack of each thread that starts under the limit, in bytes.
    ///
    /// It is the default of musl, under which these decoders run. No stack was seen with more than
    /// 56 KiB touched (every kind of `make bench-corpus` and 80 pictures of public test suites, by both
    /// kinds of decoders).
    public static let threadStack = 128 << 10

    /// What is left to the main thread's stack, in bytes: a worker decodes on it (88 KiB seen).
    private static let mainStack = 256 << 10
}
