struct FramePlanes {
    /// Rows of samples of 1 or 2 bytes, from top to bottom.
    struct Plane {
        /// First sample, valid as long as `FramePlanes.memory`.
        var start: UnsafeRawPointer
        var stride: Int
    }

    let memory: FrameMemory
    let width: Int
    let height: Int
    /// Bits per sample; above 8, a sample takes two bytes in native byte order.
    let bitDepth: Int
    let subsampling: ChromaSubsampling?
    let luma: Plane
    let chroma: (blue: Plane, red: Plane)?

    var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }
    var chromaShiftX: Int { subsampling?.shiftX ?? 0 }
    var chromaShiftY: Int { subsampling?.shiftY ?? 0 }
}
