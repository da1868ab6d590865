/// A file in a coding that needs no memory, made row by row from one that does while it is read.
///
/// Reading takes bounded time, so that whoever reads stops by reading no more. It is not `Sendable`:
/// one thread reads at a time.
package protocol SimplerFile: AnyObject {
    /// Writes the next bytes of the file.
    ///
    /// - Parameter buffer: Room for at least one byte.
    /// - Returns: How many bytes were written; 0 at the end of the file.
    /// - Throws: `DecodingFault`. Every later call throws too.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int
}
