extension Manifest {
    /// What the attachment was.
    public struct Source: Sendable, Hashable, Codable {
        /// The kind of picture, for example `jpeg`.
        public let format: String
        /// How its pixels were coded, for example `progressive`.
        public let coding: String
        /// The size as stored, in pixels, before orientation.
        public let size: PixelSize
        /// How the stored picture is to be turned: the value of the Exif orientation tag, 1 to 8.
        public let orientation: Int
        /// The length of the file.
        public let bytes: ByteCount
        /// The digest of the file.
        public let sha256: ContentDigest
        /// The number of pictures that follow each other in time; nil when unknown.
        public let frames: Int?
        /// How many of them went into the renditions.
        public let framesUsed: Int

        /// Makes the facts of an attachment.
        ///
        /// - Parameters:
        ///   - format: The kind of picture.
        ///   - coding: How its pixels were coded.
        ///   - size: The size as stored, in pixels.
        ///   - orientation: The value of the Exif orientation tag. The default is 1, upright.
        ///   - bytes: The length of the file.
        ///   - sha256: The digest of the file.
        ///   - frames: The number of pictures in time, nil when unknown. The default is 1.
        ///   - framesUsed: How many of them were used. The default is 1.
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
