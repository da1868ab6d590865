package import AttachmentContainer

/// The outcome of making renditions, with as much as is known where nothing can be published.
package struct Rendering: Codable, Sendable {
    /// The renditions and the facts for the manifest; nil when those that are known cannot be
    /// bettered.
    package var attachment: RenderedAttachment?
    /// What it took of the process's memory.
    package var memory: MemoryUse

    /// States an outcome.
    ///
    /// - Parameters:
    ///   - attachment: The renditions; nil when those that are known cannot be bettered.
    ///   - memory: What it took of the process's memory.
    package init(_ attachment: RenderedAttachment?, memory: MemoryUse) {
        self.attachment = attachment
        self.memory = memory
    }
}

/// Renditions in files without names, and everything that only the maker of them knows.
package struct RenderedAttachment: Codable, Sendable {
    /// The rung of what is passed through: there is no ladder for what is not decoded.
    package static let passedThrough = "passed-through"

    /// What the attachment was.
    package var source: Source
    /// The renditions, in the order of the manifest.
    package var renditions: [Rendition]
    /// A blurred likeness.
    package var placeholder: ThumbHash
    /// The average colour.
    package var averageColour: Colour
    /// The rung of the ladder that was used.
    package var rung: String
    /// What a person should know.
    package var notes: [String]

    /// Describes what was made.
    ///
    /// - Parameters:
    ///   - source: What the attachment was.
    ///   - renditions: The renditions.
    ///   - placeholder: A blurred likeness.
    ///   - averageColour: The average colour.
    ///   - rung: The rung of the ladder that was used.
    ///   - notes: What a person should know.
    package init(
        source: Source, renditions: [Rendition], placeholder: ThumbHash, averageColour: Colour,
        rung: String, notes: [String]
    ) {
        self.source = source
        self.renditions = renditions
        self.placeholder = placeholder
        self.averageColour = averageColour
        self.rung = rung
        self.notes = notes
    }

    /// What the header of an attachment told.
    package struct Source: Codable, Sendable {
        /// The kind of file.
        package var format: String
        /// How its pixels were coded.
        package var coding: String
        /// The size as stored, in pixels.
        package var size: PixelSize
        /// The value of the Exif orientation tag.
        package var orientation: Int
        /// The number of pictures in time; nil when unknown.
        package var frames: Int?
        /// How many of them were used.
        package var framesUsed: Int

        /// States the facts of an attachment.
        ///
        /// - Parameters:
        ///   - format: The kind of file.
        ///   - coding: How its pixels were coded.
        ///   - size: The size as stored, in pixels.
        ///   - orientation: The value of the Exif orientation tag. The default is 1, upright.
        ///   - frames: The number of pictures in time; nil when unknown.
        ///   - framesUsed: How many of them were used.
        package init(
            format: String, coding: String, size: PixelSize, orientation: Int = 1, frames: Int?,
            framesUsed: Int
        ) {
            self.format = format
            self.coding = coding
            self.size = size
            self.orientation = orientation
            self.frames = frames
            self.framesUsed = framesUsed
        }
    }

    /// A rendition, without length and digest: those are found out from its bytes.
    package struct Rendition: Codable, Sendable {
        /// What it is for.
        package var role: RenditionRole
        /// The kind of file: a uniform type identifier.
        package var type: String
        /// The size, in pixels; zero for what is only heard, and where it is unknown.
        package var size: PixelSize
        /// The part of the whole picture that it was cut from; nil for the whole.
        package var crop: UnitRectangle?
        /// How long it plays once, in seconds; nil for a still, and where it is unknown.
        package var duration: Double?
        /// How many frames it has; nil for what is not an animation.
        package var frames: Int?
        /// How often it is played; nil for what is not an animation.
        package var loopCount: Int?
        /// The number of the file that it is in; nil for the attachment as it was.
        package var output: Int?

        /// Describes a rendition.
        ///
        /// - Parameters:
        ///   - role: What it is for.
        ///   - type: The kind of file.
        ///   - size: The size, in pixels.
        ///   - crop: The part that it was cut from. The default is the whole.
        ///   - duration: How long it plays once, in seconds. The default is none.
        ///   - frames: How many frames it has. The default is none.
        ///   - loopCount: How often it is played. The default is none.
        ///   - output: The number of the file that it is in; nil for the attachment as it was.
        package init(
            _ role: RenditionRole, type: String, size: PixelSize, crop: UnitRectangle? = nil,
            duration: Double? = nil, frames: Int? = nil, loopCount: Int? = nil, output: Int?
        ) {
            self.role = role
            self.type = type
            self.size = size
            self.crop = crop
            self.duration = duration
            self.frames = frames
            self.loopCount = loopCount
            self.output = output
        }
    }
}
