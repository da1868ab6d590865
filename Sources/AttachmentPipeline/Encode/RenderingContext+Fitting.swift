import AttachmentContainer
package import AttachmentModel
package import AttachmentPlanning
import CHeap
import Foundation

extension RenderingContext {
    /// Calls `encode` for the attempts of the ladder until the file is under the byte ceiling.
    ///
    /// Attempts that the memory does not allow are made with every colour, as are all of an encoder
    /// without palettes.
    package func fit(
        _ picture: PictureFacts, quantises: Bool = true,
        encode: (EncodingLadder.Attempt, RenditionOutput) throws(AttachmentError) -> Void
    ) throws(AttachmentError) -> EncodedRendition {
        let (output, path) = (try nextOutput(), file.path)
        let attempts = EncodingLadder(
            size: picture.size, isOpaque: !picture.hasAlpha, quality: picture.quality,
            floor: picture.floor
        ).attempts
        let ceiling = settings.maximumBytes(of: picture.role)
        var shortest = ByteCount(.max)
        var previous: EncodingLadder.Attempt?
        for attempt in attempts {
            let attempt =
                quantises && grant.covers(attempt.extraMemory) ? attempt : attempt.withEveryColour
            guard attempt != previous else { continue }
            if previous != nil {
                try storing(path) { () throws(ContainerError) in try output.empty() }
                // Free heap pages of the last attempt count toward the footprint of this one.
                thimble_trim_heap()
            }
            previous = attempt
            try encode(attempt, output)
            let length = try fileLength(output.descriptor, of: path)
            shortest = min(shortest, length)
            guard length > ceiling else {
                return EncodedRendition(
                    role: picture.role, output: output,
                    header: attempt.header(of: picture, fileBytes: length),
                    notes: picture.notes
                        + (attempt.note(against: attempts[0]).map { [$0] } ?? []),
                    part: picture.part)
            }
        }
        throw AttachmentError(
            .doesNotFit, file: path,
            reason: "the smallest rendition\(picture.role.words) takes \(shortest), more than the "
                + "ceiling of \(ceiling)")
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

extension RenditionRole {
    /// The role of a preset in a sentence; empty for those of a content extension.
    fileprivate var words: String { self == .expanded || self == .banner ? "" : " \(rawValue)" }
}
