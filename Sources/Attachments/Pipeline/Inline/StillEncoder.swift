package import AttachmentContainer

/// A reduced picture as planes of 8-bit YCbCr, in full range with the matrix of BT.601.
package struct StillPlanes {
    package let size: PixelSize
    /// True for chroma of half the size, rounded up (4:2:0); false for 4:4:4.
    package let halvesChroma: Bool
    /// Luma, Cb and Cr, without gaps between rows.
    package let samples: [[UInt8]]

    package init(_ size: PixelSize, halvesChroma: Bool, samples: [[UInt8]]) {
        (self.size, self.halvesChroma, self.samples) = (size, halvesChroma, samples)
    }

    /// Size of a chroma plane.
    package var chromaSize: PixelSize {
        halvesChroma
            ? PixelSize(width: (size.width + 1) / 2, height: (size.height + 1) / 2) : size
    }
}

/// The encoder of a worker for small stills.
package protocol StillEncoder: Sendable {
    /// Name and version of its library.
    var library: String { get }

    /// Memory for a picture of up to 256 pixels a side.
    var demand: ByteCount { get }

    /// Encodes the finest still of at most so many bytes, without headers.
    ///
    /// - Returns: The temporal unit, and the number of encodings.
    func encode(
        _ planes: StillPlanes, atMost bytes: Int, isCancelled: @escaping () -> Bool
    ) throws(StillFailure) -> (unit: [UInt8], encodes: Int)
}

package enum StillFailure: Error {
    /// The coarsest still is longer than the order allows.
    case overBudget
    case cancelled
    case noMemory
    /// The library's own reason.
    case failed(String)
}
