import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning

extension AttachmentRenderer {
    /// Encodes a picture, going down the ladder until the file is under the byte ceiling.
    ///
    /// Attempts that the memory does not allow are made with every colour. At most one picture is alive
    /// at any time: each attempt releases its reading before the next one begins.
    ///
    /// - Parameters:
    ///   - picture: The picture.
    ///   - part: What part it is of the picture that it was cut from; nil for the whole.
    ///   - again: Decodes and renders a streamed picture again; nil for a held picture. It is called for
    ///     the second attempt, whose picture is held in a scratch file for all later attempts. Without
    ///     scratch files it is called for each attempt.
    ///   - floor: The longest side below which the picture is not reduced, in pixels.
    ///   - file: The attachment.
    ///   - header: What the probe learnt of it.
    ///   - context: When to stop.
    /// - Returns: The encoded rendition.
    /// - Throws: `AttachmentError` with code `doesNotFit` when even the last attempt is too long.
    func fit(
        _ picture: consuming RenderedPicture, part: UnitRectangle?,
        again: (() throws(VipsError) -> RenderedPicture)?, floor: Int,
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
        var shortest = ByteCount(.max)
        var previous: EncodingLadder.Attempt?
        for attempt in attempts {
            let attempt =
                context.grant.covers(attempt.extraMemory) ? attempt : attempt.withEveryColour
            guard attempt != previous else { continue }
            if previous != nil {
                try storing(file.path) { () throws(ContainerError) in try output.empty() }
                // Free heap pages of the last attempt would count toward the footprint of this one.
                SmallHeap.trim()
            }
            previous = attempt
            try context.decoding(file, header) { () throws(VipsError) in
                if !picture.isReadable, let again { picture = try held(again(), context) }
                try encode(
                    resize(
                        picture.read(), to: attempt.size,
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

    /// Holds a streamed picture in a scratch file, also on rungs without scratch files: reading it again
    /// is cheaper than decoding it again.
    private func held(
        _ picture: consuming RenderedPicture, _ context: RenderingContext
    ) throws(VipsError) -> RenderedPicture {
        guard let scratch else { return picture }
        let image = try hold(picture.read(), context.placing(in: scratch))
        return try RenderedPicture(held: { image })
    }
}
