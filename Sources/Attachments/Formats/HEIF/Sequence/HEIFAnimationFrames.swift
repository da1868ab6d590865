internal import AttachmentContainer
internal import AttachmentModel

/// Frames of an animated AVIF or HEIC: each replaces the canvas.
///
/// As in `HEIFRows`, PQ and HLG without a usable profile are tone-mapped.
final class HEIFAnimationFrames: AnimatedFrames {
    let canvas: AnimationCanvas
    let plays: Int?
    private let file: OpenFile
    private let sequence: HEIFSequence
    private let isTolerant: Bool
    private let isToneMapped: Bool
    private let colour: SequenceDecoder
    private let alpha: SequenceDecoder?
    /// Index of the frame read last.
    private var index = -1

    /// Throws `unsupported` for a still picture.
    init(_ file: OpenFile, in space: PlaneSpace, isTolerant: Bool) throws(DecodingFault) {
        let sequence: HEIFSequence
        do throws(HeaderFault) {
            sequence = try HEIFSequence(in: BoundedReader(file))
        } catch {
            throw DecodingFault(error)
        }
        guard sequence.isAnimation else {
            throw DecodingFault(.unsupported, at: 0, "it is not an animation")
        }
        let size = sequence.colour.description.size
        canvas = AnimationCanvas(width: size.width, height: size.height, in: space)
        plays = sequence.colour.plays
        let decoder = FrameDecoder(
            file: file, scratch: space.scratch, isTolerant: isTolerant, isCancelled: { false })
        isToneMapped = try sequence.isToneMapped(in: file)
        colour = SequenceDecoder(
            sequence.colour, sequence.frames[0], decoder, isToneMapped: isToneMapped)
        alpha = sequence.alpha.map {
            SequenceDecoder($0, sequence.frames[1], decoder, isAlpha: true)
        }
        (self.file, self.sequence, self.isTolerant) = (file, sequence, isTolerant)
    }

    func readColours() throws(DecodingFault) -> CanvasColours {
        CanvasColours(
            isGrey: sequence.isGrey,
            profile: try ColourProfile.read(sequence.colour.description.profile, of: file),
            tags: isToneMapped ? nil : sequence.tags,
            notes: isToneMapped ? [ToneMapping.note] : [])
    }

    func next() throws(DecodingFault) -> AnimationFrame? {
        guard index + 1 < sequence.colour.frames.count else { return nil }
        index += 1
        let end = max(
            sequence.colour.end(ofFrame: index), sequence.alpha?.end(ofFrame: index) ?? 0)
        guard end <= file.length || isTolerant else {
            throw DecodingFault(.truncated, at: file.length, "the file ends within a frame")
        }
        return AnimationFrame(
            rect: canvas.bounds, codedPixels: canvas.bounds.area,
            milliseconds: sequence.colour.frames[index].milliseconds, isComplete: end <= file.length
        )
    }

    func draw() throws(DecodingFault) -> ChangedRegion {
        guard index >= 0 else { return ChangedRegion() }
        let frame = try colour.decode(index)
        guard frame.isMonochrome == sequence.isGrey else {
            throw DecodingFault(
                .unsupported, at: sequence.colour.end(ofFrame: index),
                "a frame in colour among grey ones, or the reverse")
        }
        let plane = try alpha.map { (alpha) throws(DecodingFault) in try alpha.decode(index) }
        let bands = frame.bands
        let row = UnsafeMutableRawBufferPointer.allocate(
            byteCount: canvas.width * (bands * frame.bytesPerSample + 1), alignment: 16)
        defer { row.deallocate() }
        let samples = UnsafeMutableRawBufferPointer(
            rebasing: row[..<(canvas.width * bands * frame.bytesPerSample)])
        let alphas = UnsafeMutableRawBufferPointer(rebasing: row[samples.count...])
        for y in 0..<canvas.height {
            frame.readRow(y, columns: 0..<canvas.width, into: samples)
            if let plane {
                plane.readLuma(y, columns: 0..<canvas.width, bytesPerSample: 1, into: alphas)
            } else {
                _ = alphas.initializeMemory(as: UInt8.self, repeating: 255)
            }
            draw(
                samples, bands: bands, bytesPerSample: frame.bytesPerSample, alphas,
                to: try canvas.row(y))
        }
        canvas.didChange(canvas.bounds)
        return ChangedRegion(canvas.bounds)
    }

    /// Writes a row of grey or RGB, of samples of one byte or two, with its alpha.
    private func draw(
        _ samples: UnsafeMutableRawBufferPointer, bands: Int, bytesPerSample: Int,
        _ alphas: UnsafeMutableRawBufferPointer, to target: UnsafeMutablePointer<UInt32>
    ) {
        let isPremultiplied = sequence.isPremultiplied
        // The high byte of a sample in native byte order.
        let high = bytesPerSample == 2 && 1.littleEndian == 1 ? 1 : 0
        let pixelBytes = bands * bytesPerSample
        for x in 0..<canvas.width {
            let alpha = UInt32(alphas[x])
            var pixel = alpha << 24
            for band in 0..<3 {
                let place = x &* pixelBytes &+ (bands == 3 ? band &* bytesPerSample : 0) &+ high
                var sample = UInt32(samples[place])
                if isPremultiplied, alpha > 0 {
                    sample = min(255, (sample * 255 + alpha / 2) / alpha)
                }
                pixel |= sample << UInt32(8 * band)
            }
            target[x] = pixel
        }
    }
}

extension HEIFSequence {
    /// True for PQ and HLG without a usable profile, of which only the head is read.
    fileprivate func isToneMapped(in file: OpenFile) throws(DecodingFault) -> Bool {
        guard let tags, tags.isHighDynamicRange else { return false }
        guard let range = colour.description.profile, range.count <= ColourProfile.ceiling else {
            return true
        }
        let head = try ProfileHead(range, of: file)
        return !ICCProfile(head).isUsable(for: isGrey ? .grey : .rgb)
    }
}
