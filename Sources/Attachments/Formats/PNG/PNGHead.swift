/// Chunks of a PNG between its header and its image data.
struct PNGHead {
    var palette: [UInt8] = []
    var transparency: [UInt8] = []
    var profile: [UInt8]?
    var colours = PNGColourChunks()
    /// Length of the first image-data chunk.
    var dataLength = 0

    init(_ walk: inout ChunkWalk) throws(DecodingFault) {
        while true {
            switch try walk.next() {
            case .chunk(let chunk, _):
                try read(chunk, &walk)
                walk.seek(to: chunk.end)
            case .imageData(let length):
                dataLength = length
                return
            case .imageEnd:
                throw DecodingFault(.corrupt, at: walk.offset, "it has no image data")
            }
        }
    }

    private mutating func read(
        _ chunk: PNGChunk, _ walk: inout ChunkWalk
    ) throws(DecodingFault) {
        switch chunk.type {
        case .palette: palette = try walk.read(chunk.length)
        case .transparency: transparency = try walk.read(chunk.length)
        case .colourProfile where profile == nil:
            profile = ColourProfile.profile(inChunk: try walk.read(chunk.length))
        case _ where palette.isEmpty && chunk.length <= PNGColourChunks.longest:
            colours.add(chunk.type, try walk.read(chunk.length))
        default: break
        }
    }
}
