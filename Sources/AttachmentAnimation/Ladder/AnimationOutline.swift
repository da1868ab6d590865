package import AttachmentDecoding
package import AttachmentPlanning

/// What an animation's headers say of it, without a frame decoded.
package struct AnimationOutline: Hashable, Sendable {
    /// Pixels in a row of the canvas.
    package let width: Int
    /// Rows of the canvas.
    package let height: Int
    /// How long viewers show each frame, in thousandths of a second.
    package let delays: [Int]
    /// The pixels of all frames together, with those that are cut off.
    package let drawnPixels: Int
    /// How often it is played; nil for without end.
    package let plays: Int?
    /// Whether the file ends, or breaks, before its end: frames that are not whole are left out.
    package let isCut: Bool
    /// Whether a frame reaches beyond the canvas: some viewers cut it off, others enlarge the canvas.
    package let isExceeded: Bool
    /// Whether the structure of the file keeps to its format: strict decoders refuse other files.
    package let isWellFormed: Bool

    /// How long it plays, in thousandths of a second.
    package var milliseconds: Int { delays.reduce(0, +) }

    /// Goes through the headers of a file.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - scratch: Is not used, since nothing is drawn.
    ///   - limits: What is refused.
    /// - Throws: `AnimationFault` with code `undecodable`, `tooManyFrames`, `tooLong` or `tooLarge`.
    package init(
        of file: AnimationFile, in scratch: ScratchSpace, limits: AnimationLimits
    ) throws(AnimationFault) {
        let frames: any AnimatedFrames
        do throws(DecodingFault) {
            frames = try file.frames(in: scratch)
        } catch {
            throw AnimationFault(error)
        }
        (width, height) = (frames.canvas.width, frames.canvas.height)
        guard width * height <= limits.pixels, width <= 65_535, height <= 65_535 else {
            throw AnimationFault(
                .tooLarge,
                "its canvas has \(width) × \(height) pixels, more than \(limits.pixels)")
        }
        var (delays, milliseconds, pixels) = ([Int](), 0, 0)
        var (isCut, isExceeded) = (false, false)
        while let frame = try Self.next(frames, file, isFirst: delays.isEmpty, &isCut) {
            delays.append(frame.shownMilliseconds)
            milliseconds += frame.shownMilliseconds
            pixels += frame.codedPixels
            isExceeded = isExceeded || frame.codedPixels > frame.rect.area
            guard delays.count <= limits.frames else {
                throw AnimationFault(.tooManyFrames, "it has more than \(limits.frames) frames")
            }
            guard Double(milliseconds) <= limits.seconds * 1000 else {
                throw AnimationFault(
                    .tooLong, "it plays longer than \(limits.seconds) seconds")
            }
            guard pixels <= limits.drawnPixels else {
                throw AnimationFault(
                    .tooLarge,
                    "its frames have more than \(limits.drawnPixels) pixels together")
            }
        }
        (self.delays, drawnPixels, plays) = (delays, pixels, frames.plays)
        (self.isCut, self.isExceeded) = (isCut, isExceeded)
        isWellFormed = frames.isWellFormed
    }

    /// The next frame that is whole, or the first.
    private static func next(
        _ frames: any AnimatedFrames, _ file: AnimationFile, isFirst: Bool, _ isCut: inout Bool
    ) throws(AnimationFault) -> AnimationFrame? {
        do throws(DecodingFault) {
            guard let frame = try frames.next() else { return nil }
            isCut = !frame.isComplete
            return frame.isComplete || isFirst ? frame : nil
        } catch {
            guard file.isTolerant, error.comesFromBytes, !isFirst else {
                throw AnimationFault(error)
            }
            isCut = true
            return nil
        }
    }
}
