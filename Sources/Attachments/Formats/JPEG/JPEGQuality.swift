/// Quality of a JPEG on libjpeg's scale.
enum JPEGQuality {
    /// Estimates the quality, 1 to 100, from the sum of the luminance table's 64 elements.
    ///
    /// libjpeg multiplies the table of T.81, K.1, by 50/q below a quality q of 50, and by 2 − q/50
    /// from there on (`jpeg_quality_scaling`). Tables of other encoders get the quality at which
    /// libjpeg's are as coarse.
    static func estimate(tableSum: Int) -> Int {
        let scale = Double(tableSum) / standardSum
        let quality = scale <= 1 ? 100 - 50 * scale : 50 / scale
        return min(100, max(1, Int(quality.rounded())))
    }

    /// Sum of the table of T.81, K.1.
    private static let standardSum = 3688.0
}
