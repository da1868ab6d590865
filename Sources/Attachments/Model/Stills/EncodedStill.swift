public import AttachmentContainer
public import Foundation

/// A small still of AV1, made for a ``StillOrder``.
public struct EncodedStill: Sendable, Hashable, Codable {
    /// Size, in pixels.
    public let size: PixelSize
    /// The encoder's output: delimiter, sequence header and one frame.
    public let temporalUnit: Data
    /// Quantisers that were tried.
    public let encodes: Int

    package init(_ size: PixelSize, temporalUnit: Data, encodes: Int) {
        self.size = size
        self.temporalUnit = temporalUnit
        self.encodes = encodes
    }
}

extension EncodedStill {
    /// Range checks for the answer of an untrusted worker.
    package func isPlausible(for order: StillOrder) -> Bool {
        1...order.side ~= size.width && 1...order.side ~= size.height
            && 1...order.bytes + Self.mostBytesOfHeaders ~= temporalUnit.count
            && 1...64 ~= encodes
    }

    /// Delimiter, sequence header and the head of the frame's unit have 17 at most.
    package static let mostBytesOfHeaders = 32
}

/// Makes small stills of AV1, as `WorkerPool` does under its cap.
public protocol StillEncoding: Sendable {
    /// Reduces a picture, and encodes it in the best quality within the order's bytes.
    ///
    /// - Parameters:
    ///   - request: The picture, with a deadline; identifier, category and presets do not matter.
    ///   - order: Size and length of the still.
    /// - Returns: The still.
    /// - Throws: `AttachmentError`, with the code `does-not-fit` if the coarsest still is longer.
    func encodeStill(
        _ request: AttachmentRequest, _ order: StillOrder
    ) async throws(AttachmentError) -> EncodedStill
}
