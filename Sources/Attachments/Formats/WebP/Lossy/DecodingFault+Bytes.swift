extension DecodingFault {
    /// True if the file's bytes are at fault: a tolerant decoder then continues.
    package var comesFromBytes: Bool {
        switch code {
        case .corrupt, .truncated, .unsupported: true
        case .limit, .overCeiling, .unreadable, .scratch, .scratchLimit, .cancelled: false
        }
    }
}
