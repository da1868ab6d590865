extension Manifest {
    /// Facts about the attachment.
    public struct Source: Sendable, Hashable, Codable {
        /// The file format, for example `jpeg`.
        public let format: String
        /// The coding of the pixels, for example `progressive`.
        public let coding: String
        /// The size as stored, in pixels, before orientation.
        public let size: PixelSize
        /// The Exif orientation, 1 to 8.
        public let orientation: Int
        /// The length of the file.
        public let bytes: ByteCount
        /// The digest of the file.
        public let sha256: ContentDigest
        /// The number of frames of an animation; nil if unknown.
        public let frames: Int?
        /// The number of frames used for the renditions.
        public let framesUsed: Int

        /// Creates the facts of an attachment; by default it is upright and a still.
        public init(
            format: String, coding: String, size: PixelSize, orientation: Int = 1,
            bytes: ByteCount, sha256: ContentDigest, frames: Int? = 1, framesUsed: Int = 1
        ) {
            self.format = format
            self.coding = coding
            self.size = size
            self.orientation = orientation
            self.bytes = bytes
            self.sha256 = sha256
            self.frames = frames
            self.framesUsed = framesUsed
        }
    }
}
