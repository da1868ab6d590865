/// Exit of a worker after `RLIMIT_DATA` denied it memory, which kills nothing by itself.
package enum MemoryExhaustion {
    /// EX_OSERR of sysexits.h, at the first denied allocation, mapping or thread.
    package static let exitCode: Int32 = 71
}
