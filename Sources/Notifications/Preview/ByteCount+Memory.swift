package import AttachmentContainer

extension ByteCount {
    /// The count as memory such as `11.6 MiB`: caps are in MiB, and files in decimal units.
    package var memory: String {
        let tenths = Int((Double(bytes) / Double(1 << 20) * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10) MiB" : "\(tenths / 10).\(tenths % 10) MiB"
    }
}
