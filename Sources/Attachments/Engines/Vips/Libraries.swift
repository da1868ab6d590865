/// Versions of the linked libraries, for reports.
public enum Libraries {
    /// The version of libvips linked into this process, for example `8.14.1`.
    public static var vipsVersion: String { VipsLibrary.version }
}
