import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning

extension AttachmentRenderer {
    /// Encodes a picture, going down the ladder until the file is under the byte ceiling.
    ///
    /// Attempts that the memory does not allow are made with every colour.
    ///
    /// - Parameters:
    ///   - picture: The picture, to be computed or in memory.
    ///   - part: What part it is of the picture that it was cut from; nil for the whole.
    ///   - recompute: Describes the picture anew; nil when it is in memory. One that is not is
    ///     streamed by the first attempt and decoded once more for every other: no attempt takes
    ///     more memory than was planned.
    ///   - floor: The longest side below which the picture is not reduced, in pixels.
    ///   - file: The attachment.
    ///   - header: What the probe learnt of it.
    ///   - context: When to stop.
    /// - Returns: The encoded rendition.
    /// - Throws: `AttachmentError` with code `doesNotFit` when even the last attempt is too long.
    func fit(
        _ picture: VipsImage, part: UnitRectangle?,
        recompute: (() throws(VipsError) -> VipsImage)?, floor: Int,
        _ file: AttachmentFile, _ header: AttachmentHeader, _ context: RenderingContext
    ) throws(AttachmentError) -> EncodedRendition {
        let output = try storing(file.path) { () throws(ContainerError) in
            try context.outputs.next()
        }
        let descriptor = output.descriptor
        let attempts = EncodingLadder(
            size: picture.size, isOpaque: !picture.hasAlpha, quality: settings.quality,
            floor: floor
        ).attempts
        var picture = picture
        var shortest = ByteCount(.max)
        var previous: EncodingLadder.Attempt?
        for attempt in attempts {
            let attempt =
                context.grant.covers(attempt.extraMemory) ? attempt : attempt.withEveryColour
            guard attempt != previous else { continue }
            if previous != nil {
                try storing(file.path) { () throws(ContainerError) in try output.empty() }
                if let recompute { picture = try context.decoding(file, header, recompute) }
            }
            previous = attempt
            try context.decoding(file, header) { () throws(VipsError) in
                try encode(
                    resize(
                        picture, to: attempt.size,
                        box: Planner.box(from: picture.size, to: attempt.size)),
                    as: attempt.encoding, to: descriptor)
            }
            let length = try fileLength(descriptor, of: file.path)
            shortest = min(shortest, length)
            guard length > settings.maximumBytes else {
                return EncodedRendition(
                    output: output, header: attempt.header(of: picture, fileBytes: length),
                    notes: context.record.notes
                        + (attempt.note(against: attempts[0]).map { [$0] } ?? []),
                    part: part)
            }
        }
        throw AttachmentError(
            .doesNotFit, file: file.path,
            reason: "the smallest rendition takes \(shortest), more than the ceiling of "
                + "\(settings.maximumBytes)")
    }
}
