internal import AttachmentContainer

/// Peak heap of the decoder for BMP.
enum BMPDemand {
    /// Colours, tables of channels and small objects.
    private static let fixed = 8_192.0

    /// Upper bound on the peak heap, in bytes.
    static func bytes(of structure: BMPStructure) -> Double {
        let rows =
            structure.pixels == .runs
            ? BMPRunRows.heapBytes(of: structure) : BMPStoredRows.blockBytes(of: structure)
        return fixed + Double(rows) + Double(structure.profile?.count ?? 0)
    }
}
