internal import AttachmentFormats

/// Frames at output size, drawn one after the other on one plane.
protocol FrameSource: AnyObject {
    var plane: PixelPlane { get }
    /// Draws the next frame and returns its change; nil after the last.
    func next() throws(AnimationFault) -> ReducedChange?
}

/// Frames of a file, decoded, reduced and converted to sRGB.
final class DecodedFrames: FrameSource {
    let plane: PixelPlane
    private(set) var playback: Playback
    private let reducer: CanvasReducer

    init(
        of file: AnimationFile, size: (width: Int, height: Int), in space: PlaneSpace,
        frames limit: Int, _ conversion: CanvasConversion? = nil,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(AnimationFault) {
        playback = try Playback(of: file, in: space, frames: limit, isCancelled: isCancelled)
        plane = try AnimationFault.decoding { () throws(DecodingFault) in
            try PixelPlane(width: size.width, height: size.height, in: space)
        }
        let canvas = playback.canvas
        reducer = CanvasReducer(from: (canvas.width, canvas.height), to: plane, conversion)
    }

    func next() throws(AnimationFault) -> ReducedChange? {
        guard let changed = try playback.next() else { return nil }
        let (reducer, canvas) = (reducer, playback.canvas)
        return try AnimationFault.decoding { () throws(DecodingFault) in
            try reducer.reduce(canvas, changed: changed)
        }
    }
}
