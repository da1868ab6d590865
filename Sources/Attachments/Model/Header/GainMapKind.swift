/// Kind of the HDR gain map beside a picture.
///
/// A gain map is a second, usually smaller picture, by which a display of high dynamic range
/// brightens the first one. Renditions are made of the first picture alone, for every display.
public enum GainMapKind: String, Sendable, Codable, CaseIterable {
    /// ISO 21496-1: a JPEG with metadata of that standard, or a `tmap` item of HEIC and AVIF.
    case iso = "iso-21496-1"
    /// Ultra HDR: a JPEG, or Samsung's auxiliary picture of HEIC, with XMP of
    /// `http://ns.adobe.com/hdr-gain-map/1.0/`.
    case ultraHDR = "ultra-hdr"
    /// Apple's `urn:com:apple:photo:2020:aux:hdrgainmap`, in JPEG and HEIC.
    case apple

    /// Name for people.
    public var name: String {
        switch self {
        case .iso: "ISO 21496-1"
        case .ultraHDR: "Ultra HDR"
        case .apple: "Apple"
        }
    }

    /// Note of a manifest whose renditions have no gain map, although their source has one.
    public var droppedNote: String { "gain map dropped (\(name))" }
}
