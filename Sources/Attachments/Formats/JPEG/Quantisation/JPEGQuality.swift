/// Quality of a JPEG on libjpeg's scale, and the family of its tables.
struct JPEGQuality {
    let family: JPEGQuantisation
    /// 1 to 100.
    let value: Int

    /// Recognises our tables, and otherwise estimates from the sum of the luma table's 64 steps.
    ///
    /// libjpeg multiplies the table of T.81, K.1, by 50/q below a quality q of 50, and by 2 − q/50
    /// from there on (`jpeg_quality_scaling`). Tables of other encoders get the quality at which
    /// libjpeg's are as coarse.
    ///
    /// - Parameter steps: The table in the order of the file.
    init(luma steps: [Int]) {
        if let ours = JPEGQuantisation.ours(steps) {
            (family, value) = ours
            return
        }
        let scale = Double(steps.reduce(0, +)) / Self.standardSum
        let quality = scale <= 1 ? 100 - 50 * scale : 50 / scale
        (family, value) = (.standard, min(100, max(1, Int(quality.rounded()))))
    }

    /// Sum of the table of T.81, K.1.
    private static let standardSum = 3688.0
}
