/// A file rewritten, while it is read, into a coding that decodes row by row in little memory.
///
/// Each read takes bounded time: a caller cancels by reading no further. Not `Sendable`: one thread
/// reads at a time.
package protocol SimplerFile: AnyObject {
    /// Writes the next bytes into `buffer`, which holds at least one, and returns their number: 0
    /// at the end of the file.
    ///
    /// After a fault, every later call throws too.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int
}
