/// Exit of a worker after `RLIMIT_DATA` denied it memory.
///
/// The kernel itself kills nothing then.
package enum MemoryExhaustion {
    /// EX_OSERR of sysexits.h.
    ///
    /// The worker exits at the first allocation, mapping or thread that is denied, in any library.
    package static let exitCode: Int32 = 71
}
