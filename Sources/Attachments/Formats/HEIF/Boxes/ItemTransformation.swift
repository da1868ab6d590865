internal import AttachmentContainer
internal import AttachmentModel

/// All crops, rotations and mirrors of an item reduce to one crop of the stored picture and one of
/// eight orientations.
struct ItemTransformation: Hashable {
    private(set) var column = 0
    private(set) var row = 0
    private(set) var size: PixelSize
    private(set) var orientation = Orientation.upright

    init(of size: PixelSize) {
        self.size = size
    }

    var columns: Range<Int> { column..<column + size.width }
    var rows: Range<Int> { row..<row + size.height }

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
