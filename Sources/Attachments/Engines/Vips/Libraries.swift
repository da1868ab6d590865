internal import AttachmentJPEGXL

/// Versions of the linked libraries, for reports.
public enum Libraries {
    /// The version of libvips linked into this process, for example `8.14.1`.
    public static var vipsVersion: String { VipsLibrary.version }

    /// libvips, and the libraries of formats that only its worker decodes, with their versions.
    package static var all: [String] {
        ["libvips \(vipsVersion)"] + (JPEGXLLibrary.version.map { ["libjxl \($0)"] } ?? [])
    }
}
