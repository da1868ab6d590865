internal import AttachmentModel

extension GainMapKind {
    /// Name of ISO 21496-1 in JPEG segments and auxiliary pictures.
    static let isoName = "urn:iso:std:iso:ts:21496:-1"
    /// Apple's name, in XMP and in auxiliary pictures.
    static let appleName = "urn:com:apple:photo:2020:aux:hdrgainmap"
    /// Samsung's name in HEIC, for an auxiliary picture with the XMP of Ultra HDR.
    static let samsungName = "urn:com:samsung:photo:2024:aux:hdrgainmap"
}
