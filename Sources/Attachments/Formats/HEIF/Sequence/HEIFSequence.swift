internal import AttachmentContainer
internal import AttachmentModel

/// Image sequence of a HEIF or AVIF file: a track, and one with its alpha (ISO/IEC 23008-12, 7).
struct HEIFSequence {
    let colour: SequenceTrack
    let alpha: SequenceTrack?
    /// Headers of the first frames, with the length of the longest one; empty if one is invalid.
    let frames: [FrameHeader]

    /// Limit on tracks read; real files have two.
    private static let maximumTracks = 16

    var isPremultiplied: Bool {
        alpha.map { colour.premultipliedBy == $0.identifier } ?? false
    }

    /// True if the frames of the tracks can be drawn on one canvas.
    ///
    /// The first frame of other sequences can still be shown.
    var isAnimation: Bool {
        colour.isUpright && colour.frames.count > 1 && frames.count == (alpha == nil ? 1 : 2)
            && (alpha.map { $0.frames.count == colour.frames.count } ?? true)
            && reordering <= Self.maximumReordering
    }

    /// Limit on reordered frames, the same for every decoder (H.265, A.4.2).
    private static let maximumReordering = 16

    var reordering: Int { max(colour.reordering, alpha?.reordering ?? 0) }

    var isGrey: Bool { frames.first.map { $0.chromaSubsampling == nil } ?? false }

    /// Colours of the track, else of its bitstream, without a profile; nil for sRGB.
    var tags: ColourTags? {
        (colour.description.colours ?? frames.first?.colours)?.tags(isGrey: isGrey)
    }

    var milliseconds: Int {
        colour.frames.reduce(0) { $0 + AnimationTiming.shown($1.milliseconds) }
    }

    init(in reader: BoundedReader) throws(HeaderFault) {
        var boxes = try FileType.read(reader).boxes
        while let box = try boxes.next() {
            guard box.type == "moov" else { continue }
            try self.init(box, reader)
            return
        }
        throw .truncated(at: reader.length)
    }

    private init(_ movie: Box, _ reader: BoundedReader) throws(HeaderFault) {
        var tracks: [SequenceTrack] = []
        let timescale = try movie.first("mvhd").map { (head) throws(HeaderFault) in
            var payload = head.payload
            let isWide = try payload.fullBox().version == 1
            try payload.skip(isWide ? 16 : 8)
            return Int(try payload.uint32())
        }
        var boxes = BoxSequence(movie.payload)
        while let box = try boxes.next(), tracks.count < Self.maximumTracks {
            if box.type == "trak" {
                tracks.append(try SequenceTrack(box, movieTimescale: timescale ?? 0))
            }
        }
        guard let colour = tracks.first(where: { ["pict", "vide"].contains($0.handler) }) else {
            throw .unsupported("an image sequence without a track of pictures")
        }
        self.colour = colour
        alpha = tracks.first {
            $0.handler == "auxv" && $0.alphaOf == colour.identifier
                && $0.description.size == colour.description.size
                && $0.description.isAV1 == colour.description.isAV1
        }
        var frames: [FrameHeader] = []
        for track in [colour] + (alpha.map { [$0] } ?? []) {
            guard
                var frame = try FrameHeader.read(
                    isAV1: track.description.isAV1, configuration: track.description.configuration,
                    extents: track.extents, of: reader),
                frame.size == track.description.size
            else {
                self.frames = []
                return
            }
            frame.codedBytes = track.samples.reduce(0) { max($0, $1.count) }
            frames.append(frame)
        }
        self.frames = frames
    }
}

extension HEIFPicture {
    /// First frame of a sequence without a still picture.
    init(_ sequence: HEIFSequence) throws(HeaderFault) {
        let size = sequence.colour.description.size
        guard sequence.frames.count == (sequence.alpha == nil ? 1 : 2) else {
            throw .unsupported("an image sequence whose first frame cannot be read")
        }
        guard sequence.colour.isUpright else {
            throw .unsupported("an image sequence that is rotated")
        }
        self.init(
            first: StoredPicture(
                colour: CodedMosaic(sequence.colour, sequence.frames[0]),
                alpha: sequence.alpha.map {
                    StoredPicture.Alpha(
                        mosaic: CodedMosaic($0, sequence.frames[1]),
                        placement: AlphaPlacement(covering: size),
                        isPremultiplied: sequence.isPremultiplied)
                }),
            overlay: nil, transformation: ItemTransformation(of: size),
            profile: sequence.colour.description.profile, isGrid: false, items: [])
    }
}
