package import AttachmentContainer
package import AttachmentModel

/// Visible part of a stored picture, and its orientation.
///
/// All crops, rotations and mirrors of an item, in the order of the file, reduce to one crop of the
/// stored picture and one of eight orientations.
package struct ItemTransformation: Hashable, Sendable {
    /// First visible column of the stored picture.
    package private(set) var column = 0
    /// First visible row of the stored picture.
    package private(set) var row = 0
    /// Visible size, in pixels, as stored.
    package private(set) var size: PixelSize
    /// Orientation of the visible part.
    package private(set) var orientation = Orientation.upright

    init(of size: PixelSize) {
        self.size = size
    }

    /// Appends the effect of a property, if any.
    ///
    /// Throws `unsupported` for a crop larger than the picture, and `corrupt` for an empty crop.
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

    /// Crops; a crop after a rotation by 90 degrees is rotated back.
    private mutating func crop(_ aperture: CleanAperture) throws(HeaderFault) {
        let turned = orientation.upright(size)
        guard aperture.size.width <= turned.width, aperture.size.height <= turned.height else {
            throw .unsupported("a clean aperture of \(aperture.size) in \(turned)")
        }
        guard let place = aperture.place(in: turned) else {
            throw .corrupt("a clean aperture outside the picture", at: aperture.offset)
        }
        var (columns, rows) = (place.columns, place.rows)
        if orientation.exchangesSides { swap(&columns, &rows) }
        column +=
            orientation.readsColumnsBackwards ? size.width - columns.upperBound : columns.lowerBound
        row += orientation.readsRowsBackwards ? size.height - rows.upperBound : rows.lowerBound
        size = PixelSize(width: columns.count, height: rows.count)
    }
}
