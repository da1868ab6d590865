/// The libraries that do the work, for reports.
public enum Libraries {
    /// The version of libvips that this process is linked with, for example `8.14.1`.
    public static var vipsVersion: String { VipsLibrary.version }

    /// Loads and starts those that are needed, before a sandbox forbids to, in a process that does
    /// nothing else; called before there is another thread.
    package static func warmUpAlone() { VipsLibrary.warmUpAlone() }
}
