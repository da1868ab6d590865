import AttachmentContainer
import AttachmentModel
import AttachmentPlanning
import Foundation

extension AttachmentRenderer {
    /// Encodes a picture, going down the ladder until the file is under the byte ceiling.
    ///
    /// At most one picture is alive at any time: each attempt releases its reading before the next
    /// one begins.
    ///
    /// `part` is the crop, nil for the whole picture. `floor` is the shortest permitted longer
    /// side, in pixels. `rerender` renders a streamed picture again for the second attempt, and is
    /// nil for a held one. The second attempt's picture is held in a scratch file for all later
    /// attempts; without scratch files `rerender` is called for each of them.
    func fit(
        _ picture: consuming RenderedPicture, part: UnitRectangle?,
        rerender: (() throws(VipsError) -> RenderedPicture)?, floor: Int,
        _ context: RenderingContext
    ) throws(AttachmentError) -> EncodedRendition {
        let facts = picture.facts
        return try fit(facts, part: part, floor: floor, context) {
            attempt, output throws(AttachmentError) in
            try context.decoding { () throws(VipsError) in
                if !picture.isReadable, let rerender { picture = try held(rerender()) }
                try encode(
                    resize(
                        picture.read(), to: attempt.size,
                        box: Planner.box(from: facts.size, to: attempt.size)),
                    as: attempt.encoding, to: output.descriptor)
            }
        }
    }

    /// Calls `encode` for the attempts of the ladder until the file is under the byte ceiling.
    ///
    /// Attempts that the memory does not allow are made with every colour.
    func fit(
        _ picture: PictureFacts, part: UnitRectangle?, floor: Int, _ context: RenderingContext,
        encode: (EncodingLadder.Attempt, RenditionOutput) throws(AttachmentError) -> Void
    ) throws(AttachmentError) -> EncodedRendition {
        let (output, path) = (try context.nextOutput(), context.file.path)
        let attempts = EncodingLadder(
            size: picture.size, isOpaque: !picture.hasAlpha, quality: settings.quality, floor: floor
        ).attempts
        var shortest = ByteCount(.max)
        var previous: EncodingLadder.Attempt?
        for attempt in attempts {
            let attempt =
                context.grant.covers(attempt.extraMemory) ? attempt : attempt.withEveryColour
            guard attempt != previous else { continue }
            if previous != nil {
                try storing(path) { () throws(ContainerError) in try output.empty() }
                // Free heap pages of the last attempt count toward the footprint of this one.
                SmallHeap.trim()
            }
            previous = attempt
            try encode(attempt, output)
            let length = try fileLength(output.descriptor, of: path)
            shortest = min(shortest, length)
            guard length > settings.maximumBytes else {
                return EncodedRendition(
                    output: output, header: attempt.header(of: picture, fileBytes: length),
                    notes: picture.notes
                        + (attempt.note(against: attempts[0]).map { [$0] } ?? []),
                    part: part)
            }
        }
        throw AttachmentError(
            .doesNotFit, file: path,
            reason: "the smallest rendition takes \(shortest), more than the ceiling of "
                + "\(settings.maximumBytes)")
    }

    /// Holds a streamed picture in a scratch file, whatever the rung, because reading it is cheaper
    /// than decoding it again.
    private func held(_ picture: consuming RenderedPicture) throws(VipsError) -> RenderedPicture {
        guard let scratch else { return picture }
        let image = try hold(picture.read(), in: scratch)
        return try RenderedPicture(held: { image })
    }

    private func fileLength(
        _ descriptor: CInt, of path: String
    ) throws(AttachmentError) -> ByteCount {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw AttachmentError(
                .storage, file: path,
                reason: "the rendition's length is unknown: \(String(cString: strerror(errno)))")
        }
        return ByteCount(Int(status.st_size))
    }
}
