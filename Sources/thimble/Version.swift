/// This release, as `--version` says it; that of libvips is the worker's to say.
enum Version {
    static let text = "thimble 0.1.0"
}
