package import AttachmentContainer
package import AttachmentPlanning

/// What is seen of a stored picture, and how it must be turned to stand upright.
///
/// All crops, turns and mirrors of an item in the order of the file amount to one crop of the stored
/// picture and one of eight orientations.
package struct ItemTransformation: Hashable, Sendable {
    /// The first stored column that is seen.
    package private(set) var column = 0
    /// The first stored row that is seen.
    package private(set) var row = 0
    /// What is seen of the stored picture, in pixels.
    package private(set) var size: PixelSize
    /// How that must be turned.
    package private(set) var orientation = Orientation.upright

    /// Makes a transformation that leaves a picture as it is.
    ///
    /// - Parameter size: The size of the stored picture, in pixels.
    init(of size: PixelSize) {
        self.size = size
    }

    /// Adds what a property does to the picture, if it does anything.
    ///
    /// - Parameter property: The next property of the item.
    /// - Throws: `unsupported` for a crop that is larger than what it crops, `corrupt` for one that
    ///   leaves nothing.
    mutating func append(_ property: ItemProperty) throws(HeaderFault) {
        switch property {
        case .cleanAperture(let aperture):
            try crop(aperture)
        case .rotation(let quarterTurns):
            orientation = orientation.turned(counterClockwise: quarterTurns)
        case .mirror(let leftToRight):
            orientation = orientation.mirrored(leftToRight: leftToRight)
        default:
            break
        }
    }

    /// A crop that comes after a turn by 90 degrees speaks of turned sides, and is turned back.
    private mutating func crop(_ aperture: CleanAperture) throws(HeaderFault) {
        let turned = orientation.upright(size)
        guard aperture.size.width <= turned.width, aperture.size.height <= turned.height else {
            throw .unsupported("a clean aperture of \(aperture.size) in \(turned)")
        }
        guard let place = aperture.place(in: turned) else {
            throw .corrupt("a clean aperture beside the picture", at: aperture.offset)
        }
        var (columns, rows) = (place.columns, place.rows)
        if orientation.exchangesSides { swap(&columns, &rows) }
        column +=
            orientation.readsColumnsBackwards ? size.width - columns.upperBound : columns.lowerBound
        row += orientation.readsRowsBackwards ? size.height - rows.upperBound : rows.lowerBound
        size = PixelSize(width: columns.count, height: rows.count)
    }
}
