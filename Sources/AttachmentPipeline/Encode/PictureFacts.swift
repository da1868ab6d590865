package import AttachmentContainer

/// Facts of a picture to be encoded.
package struct PictureFacts {
    package let size: PixelSize
    package let hasAlpha: Bool
    package let isGrey: Bool
    package let notes: [String]

    package init(size: PixelSize, hasAlpha: Bool, isGrey: Bool, notes: [String]) {
        (self.size, self.hasAlpha, self.isGrey) = (size, hasAlpha, isGrey)
        self.notes = notes
    }
}
