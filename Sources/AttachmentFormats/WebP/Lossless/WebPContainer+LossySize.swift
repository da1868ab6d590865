import AttachmentModel

extension WebPContainer {
    /// Reads the size of a `VP8 ` image (RFC 6386, section 9.1).
    func lossySize(in file: OpenFile) throws(DecodingFault) -> Size {
        var reader = LittleEndianReader(
            file, over: picture)
        guard try reader.uint24() & 1 == 0, try reader.uint24() == 0x2A019D else {
            throw DecodingFault(.corrupt, at: picture.lowerBound, "its image is not a key frame")
        }
        let size = Size(
            width: try reader.uint16() & 0x3FFF, height: try reader.uint16() & 0x3FFF)
        guard size.width > 0, size.height > 0 else {
            throw DecodingFault(.corrupt, at: picture.lowerBound + 6, "its image has no pixels")
        }
        return size
    }
}
