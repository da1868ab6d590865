/// The planes of a decoded frame, as its decoder left them.
struct FramePlanes {
    /// One plane: rows of samples of 1 or 2 bytes, from top to bottom.
    struct Plane {
        /// The first sample; it stays valid as long as `FramePlanes.memory`.
        var start: UnsafeRawPointer
        /// From a row to the next, in bytes.
        var stride: Int
    }

    /// What holds the samples.
    let memory: FrameMemory
    /// Pixels in a row.
    let width: Int
    /// Rows.
    let height: Int
    /// Bits of a sample; beyond 8 a sample takes two bytes, in the machine's order.
    let bitDepth: Int
    /// How many times chroma is halved across, 0 or 1.
    let chromaShiftX: Int
    /// How many times chroma is halved down, 0 or 1.
    let chromaShiftY: Int
    /// Luma.
    let luma: Plane
    /// Both chroma planes; nil when there are none.
    let chroma: (blue: Plane, red: Plane)?

    /// What a sample takes, in bytes.
    var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }
    /// Samples in a row of a chroma plane.
    var chromaWidth: Int { (width + chromaShiftX) >> chromaShiftX }
    /// Rows of a chroma plane.
    var chromaHeight: Int { (height + chromaShiftY) >> chromaShiftY }
}
