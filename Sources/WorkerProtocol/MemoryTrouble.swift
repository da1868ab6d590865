/// How it shows that a worker was refused memory by `RLIMIT_DATA`, which kills nobody itself.
package enum MemoryTrouble {
    /// What a worker exits with when a library told it so: EX_OSERR of sysexits.h.
    package static let exitCode: Int32 = 71

    /// Whether a library's text, or what a runtime printed before it gave up, is about memory.
    ///
    /// libheif calls it an unspecified error of its decoder, and damage that the decoder finds as
    /// well: the doubt goes to memory, which costs a rung, where damage would cost the picture.
    ///
    /// - Parameter text: For example `out of memory` (libvips), `Insufficient memory` (libjpeg),
    ///   `failed to allocate 16 bytes` (GLib, Swift), `std::bad_alloc` (C++), `Error creating
    ///   thread` (GLib, which finds no room for a stack).
    /// - Returns: Whether it is.
    package static func isIn(_ text: String) -> Bool {
        let text = text.lowercased()
        return ["memory", "allocat", "bad_alloc", "creating thread", "plugin generated an error"]
            .contains { text.contains($0) }
    }
}
