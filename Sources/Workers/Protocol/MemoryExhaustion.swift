/// Exits of a worker that was denied memory.
package enum MemoryExhaustion {
    /// EX_OSERR of sysexits.h: `RLIMIT_DATA`, which kills nothing by itself, denied an allocation, a mapping
    /// or a thread.
    package static let exitCode: Int32 = 71
    /// EX_DATAERR: a decoder that takes no refusal wanted more than the picture's header explains, under
    /// any limit.
    package static let decoderExitCode: Int32 = 65
}
