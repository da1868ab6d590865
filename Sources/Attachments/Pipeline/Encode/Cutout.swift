package import AttachmentContainer

package struct Cutout {
    package let left: Int
    package let top: Int
    package let size: PixelSize
    let picture: PixelSize

    /// Finds the most salient rectangle; `size` is clamped to the picture's.
    package init(_ size: PixelSize, of picture: PixelSize, where attention: Attention) {
        let size = PixelSize(
            width: min(size.width, picture.width), height: min(size.height, picture.height))
        let share = attention.window(ratio: size.heightToWidthRatio)
        left = Int((share.horizontal * Double(picture.width - size.width)).rounded())
        top = Int((share.vertical * Double(picture.height - size.height)).rounded())
        self.size = size
        self.picture = picture
    }

    private init(_ cutout: Cutout, left: Int, top: Int) {
        (self.left, self.top) = (left, top)
        (size, picture) = (cutout.size, cutout.picture)
    }

    /// The cutout, moved by at most a pixel to even offsets, for pictures with halved chroma.
    var aligned: Cutout { Cutout(self, left: left & ~1, top: top & ~1) }

    package var part: UnitRectangle? {
        let (width, height) = (Double(picture.width), Double(picture.height))
        return UnitRectangle(
            x: Double(left) / width, y: Double(top) / height, width: Double(size.width) / width,
            height: Double(size.height) / height)
    }
}
