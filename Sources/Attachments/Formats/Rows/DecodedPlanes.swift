/// Planes of YCbCr from a bounded decoder, with the full range of JPEG (ITU-T T.871, section 7), read
/// once from top to bottom.
///
/// Each call takes bounded time: a caller cancels by reading no further. Not `Sendable`: one thread
/// reads at a time.
package protocol DecodedPlanes: AnyObject {
    /// Luma, then both planes of chroma.
    var planes: [DecodedPlane] { get }
    /// True if each sample is followed by its alpha, which is not premultiplied.
    var hasAlpha: Bool { get }
    /// ICC profile of the samples, or nil.
    var profile: [UInt8]? { get }
    /// Passes on the next rows, in order within each plane; false at the end.
    ///
    /// The pointer is to a whole row of the plane with this index, and valid during the call. After
    /// a fault, every later call throws too.
    func next(_ row: (Int, UnsafeRawPointer) -> Void) throws(DecodingFault) -> Bool
}

package struct DecodedPlane: Hashable, Sendable {
    /// Samples.
    package let width: Int
    package let height: Int
    /// Part of the samples that the picture covers; chroma may end inside a sample.
    package let coveredWidth: Double
    package let coveredHeight: Double
}
