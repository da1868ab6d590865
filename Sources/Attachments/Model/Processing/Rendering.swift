package import AttachmentContainer

package struct Rendering: Codable, Sendable {
    /// Renditions and facts for the manifest; nil when earlier ones could not be improved.
    package var attachment: RenderedAttachment?
    package var memory: MemoryUse

    package init(_ attachment: RenderedAttachment?, memory: MemoryUse) {
        self.attachment = attachment
        self.memory = memory
    }
}

/// Renditions in unnamed files, and facts known only to their maker.
package struct RenderedAttachment: Codable, Sendable {
    /// Rung of passed-through media, which has no ladder.
    package static let passedThrough = "passed-through"

    package var source: Source
    package var renditions: [Rendition]
    package var placeholder: ThumbHash
    package var averageColour: Colour
    package var rung: String
    /// Nil for media.
    package var engine: Engine?
    package var notes: [String]
    /// The telling moment of an animation or a movie, as in `Manifest.thumbnailTime`; nil for others.
    package var thumbnailTime: Double?
    /// Error for a movie that cannot be attached, unless a still of it is made; it has no rendition.
    package var refusal: AttachmentError?

    package init(
        source: Source, renditions: [Rendition], placeholder: ThumbHash, averageColour: Colour,
        rung: String, engine: Engine? = nil, notes: [String], thumbnailTime: Double? = nil,
        refusal: AttachmentError? = nil
    ) {
        self.source = source
        self.renditions = renditions
        self.placeholder = placeholder
        self.averageColour = averageColour
        self.rung = rung
        self.engine = engine
        self.notes = notes
        self.thumbnailTime = thumbnailTime
        self.refusal = refusal
    }

    package struct Source: Codable, Sendable {
        package var format: String
        package var coding: String
        package var size: PixelSize
        package var orientation: Int
        package var frames: Int?
        package var framesUsed: Int

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

    package struct Rendition: Codable, Sendable {
        package var role: RenditionRole
        package var type: String
        /// Zero for sound, and when unknown.
        package var size: PixelSize
        package var crop: UnitRectangle?
        package var duration: Double?
        package var frames: Int?
        package var loopCount: Int?
        /// Index of the output file; nil for the unchanged attachment.
        package var output: Int?

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
