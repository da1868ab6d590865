/// What `--version` says. That of libvips is the worker's to say.
enum Version {
    static let text = "thimble 0.1.0"
}
