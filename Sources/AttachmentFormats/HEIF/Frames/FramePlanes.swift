/// Planes of a decoded frame.
struct FramePlanes {
    /// Rows of samples of 1 or 2 bytes, from top to bottom.
    struct Plane {
        /// First sample, valid as long as `FramePlanes.memory`.
        var start: UnsafeRawPointer
        /// Distance between rows, in bytes.
        var stride: Int
    }

    let memory: FrameMemory
    let width: Int
    let height: Int
    /// Bits per sample.
    ///
    /// Above 8, a sample takes two bytes in native byte order.
    let bitDepth: Int
    /// 1 if chroma has half of luma's columns, else 0.
    let chromaShiftX: Int
    /// 1 if chroma has half of luma's rows, else 0.
    let chromaShiftY: Int
    let luma: Plane
    /// Nil for monochrome frames.
    let chroma: (blue: Plane, red: Plane)?

    var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }
    var chromaWidth: Int { (width + chromaShiftX) >> chromaShiftX }
}
