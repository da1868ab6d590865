/// The end of a worker that was refused memory by `RLIMIT_DATA`, which kills nobody itself.
package enum MemoryTrouble {
    /// The exit status: EX_OSERR of sysexits.h.
    ///
    /// The worker exits at the first allocation, mapping or thread that is refused, whichever library
    /// asked for it.
    package static let exitCode: Int32 = 71
}
