/// Converts pixels in CMYK to sRGB.
protocol InkConverting: AnyObject {
    /// Converts as many pixels as `pixels` has room for in RGB.
    func convertInks(_ source: UnsafeRawPointer, to pixels: UnsafeMutableRawBufferPointer)
}
