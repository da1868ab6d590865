internal import AttachmentContainer
internal import AttachmentModel

/// Decoder of a track's frames, which must be requested in the order in which they are shown.
final class SequenceDecoder {
    private let track: SequenceTrack
    private let decoder: FrameDecoder
    private let isAlpha: Bool
    private let isToneMapped: Bool
    #if SYSTEM_CODECS
        private var session: (any FrameSession)?
        /// Next sample in decoding order.
        private var nextSample = 0
        /// Frames decoded before their turn, by sample.
        private var waiting: [Int: Result<DecodedFrame, DecodingFault>] = [:]
        private lazy var shownSamples = Set(track.frames.lazy.map(\.sample))
    #endif

    init(
        _ track: SequenceTrack, _ frame: FrameHeader, _ decoder: FrameDecoder,
        isAlpha: Bool = false, isToneMapped: Bool = false
    ) {
        (self.track, self.isAlpha, self.isToneMapped) = (track, isAlpha, isToneMapped)
        var decoder = decoder
        decoder.heapCeiling = Int(min(FrameDemand.bytes(ofSequence: frame).rounded(.up), 1e15))
        self.decoder = decoder
    }

    /// Decodes the frame at an index, and those that are decoded before it.
    func decode(_ index: Int) throws(DecodingFault) -> DecodedFrame {
        #if SYSTEM_CODECS
            let wanted = track.frames[index].sample
            while nextSample <= wanted {
                let sample = nextSample
                nextSample += 1
                let result = Result { () throws(DecodingFault) in try decode(sample: sample) }
                if shownSamples.contains(sample) { waiting[sample] = result }
            }
            guard let result = waiting.removeValue(forKey: wanted) else {
                throw DecodingFault(.corrupt, at: 0, "its frames are requested out of order")
            }
            return try result.get()
        #else
            throw .notBuilt(track.description.isAV1 ? .dav1d : .libde265)
        #endif
    }

    #if SYSTEM_CODECS
        private func decode(sample: Int) throws(DecodingFault) -> DecodedFrame {
            let session = if let session { session } else { try open() }
            self.session = session
            defer {
                // The next frame that needs no others begins anew.
                if !session.isIntact { self.session = nil }
            }
            let bytes = try ExtentReader(decoder.file, extents: [track.samples[sample]])
            guard decoder.isTolerant || !bytes.isTruncated else {
                throw DecodingFault(
                    .truncated, at: decoder.file.length, "the file ends before its coded bytes do")
            }
            return try session.decode(bytes)
        }

        private func open() throws(DecodingFault) -> any FrameSession {
            let description = track.description
            let frame = CodedFrame(
                isAV1: description.isAV1,
                configuration: try decoder.record(
                    description.configuration, atMost: FrameHeader.longestConfiguration),
                extents: track.extents, width: description.size.width,
                height: description.size.height, colours: description.colours,
                hasProfile: !isToneMapped, isAlpha: isAlpha)
            return description.isAV1
                ? try AV1Session(frame, decoder, isSequence: true)
                : try HEVCSession(frame, decoder, isSequence: true)
        }
    #endif
}
