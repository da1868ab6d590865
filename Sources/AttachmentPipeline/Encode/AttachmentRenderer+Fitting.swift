import AttachmentContainer
import AttachmentModel
import AttachmentPlanning

extension AttachmentRenderer {
    /// Encodes a picture, going down the ladder until the file is under the byte ceiling.
    ///
    /// Attempts that the memory does not allow are made with every colour. At most one picture is
    /// alive at any time: each attempt releases its reading before the next one begins.
    ///
    /// `part` is the crop, nil for the whole picture. `floor` is the shortest permitted longer
    /// side, in pixels. `rerender` renders a streamed picture again for the second attempt, and is
    /// nil for a held one. The second attempt's picture is held in a scratch file for all later
    /// attempts; without scratch files `rerender` is called for each of them.
    func fit(
        _ picture: consuming RenderedPicture, part: UnitRectangle?,
        rerender: (() throws(VipsError) -> RenderedPicture)?, floor: Int,
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
                // Free heap pages of the last attempt count toward the footprint of this one.
                SmallHeap.trim()
            }
            previous = attempt
            try context.decoding(file, header) { () throws(VipsError) in
                if !picture.isReadable, let rerender { picture = try held(rerender(), context) }
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

    /// Holds a streamed picture in a scratch file, whatever the rung, because reading it is cheaper
    /// than decoding it again.
    private func held(
        _ picture: consuming RenderedPicture, _ context: RenderingContext
    ) throws(VipsError) -> RenderedPicture {
        guard let scratch else { return picture }
        let image = try hold(picture.read(), context.placing(in: scratch))
        return try RenderedPicture(held: { image })
    }
}
