import AttachmentContainer

/// A rectangle in a picture that is cut out of it.
struct Cutout {
    /// The distance of its left edge from the picture's, in pixels.
    let left: Int
    /// The distance of its upper edge from the picture's, in pixels.
    let top: Int
    /// Its size, in pixels.
    let size: PixelSize
    /// The size of the picture, in pixels.
    let picture: PixelSize

    /// Finds the most telling rectangle of a size.
    ///
    /// - Parameters:
    ///   - size: In pixels; a side that is longer than the picture's is cut to it.
    ///   - picture: The size of the picture, in pixels.
    ///   - attention: Where the picture draws it.
    init(_ size: PixelSize, of picture: PixelSize, where attention: Attention) {
        let size = PixelSize(
            width: min(size.width, picture.width), height: min(size.height, picture.height))
        let share = attention.window(ratio: size.heightToWidthRatio)
        left = Int((share.horizontal * Double(picture.width - size.width)).rounded())
        top = Int((share.vertical * Double(picture.height - size.height)).rounded())
        self.size = size
        self.picture = picture
    }

    /// What part of the picture it is.
    var part: UnitRectangle? {
        let (width, height) = (Double(picture.width), Double(picture.height))
        return UnitRectangle(
            x: Double(left) / width, y: Double(top) / height, width: Double(size.width) / width,
            height: Double(size.height) / height)
    }
}

extension VipsImage {
    /// Cuts a rectangle out.
    ///
    /// - Parameter cutout: A rectangle of this picture.
    /// - Returns: The picture in it.
    /// - Throws: `VipsError` with libvips' own words.
    func cut(_ cutout: Cutout) throws(VipsError) -> VipsImage {
        try applying(
            "extract_area",
            [
                "left": .int(cutout.left), "top": .int(cutout.top),
                "width": .int(cutout.size.width), "height": .int(cutout.size.height),
            ], input: "input")
    }
}
