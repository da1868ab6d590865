/// The release shown by `--version`.
///
/// Workers report the version of libvips.
enum Version {
    static let text = "thimble \(number)"

    static let number = "0.1.0"
}
