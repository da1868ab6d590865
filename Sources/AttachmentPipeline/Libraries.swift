/// The libraries that do the work, for reports.
public enum Libraries {
    /// The version of libvips that this process is linked with, for example `8.14.1`.
    public static var vipsVersion: String { VipsLibrary.version }

    /// Loads and starts them, before a sandbox forbids to.
    package static func warmUp() { VipsLibrary.warmUp() }
}
