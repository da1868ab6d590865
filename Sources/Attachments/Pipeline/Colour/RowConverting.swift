/// A conversion of rows to 8-bit sRGB.
protocol RowConverting: AnyObject {
    /// Converts as many pixels as `pixels` has room for: inks to RGB, or 16-bit samples with their alpha.
    func convertRow(_ source: UnsafeRawPointer, to pixels: UnsafeMutableRawBufferPointer)
}
