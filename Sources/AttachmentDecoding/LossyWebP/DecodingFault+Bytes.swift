extension DecodingFault {
    /// Whether it tells of the file's bytes, so that a tolerant decoder goes on without them, and not
    /// of room or of the file's disk.
    package var comesFromBytes: Bool {
        switch code {
        case .corrupt, .truncated, .unsupported: true
        case .overCeiling, .unreadable, .scratch, .cancelled: false
        }
    }
}
