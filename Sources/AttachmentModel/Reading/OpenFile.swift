/// An open regular file and its length.
///
/// It does not own the descriptor, which must stay open while the file is read.
package struct OpenFile: Sendable {
    package let descriptor: CInt
    /// Length when the file was opened, in bytes.
    package let length: Int

    package init(descriptor: CInt, length: Int) {
        self.descriptor = descriptor
        self.length = length
    }
}
