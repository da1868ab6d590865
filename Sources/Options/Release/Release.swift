import CVersion

/// The release of all programs, in the one place that programs, pages and packages read.
public enum Release {
    /// The semantic version; `Packaging/version.sh` reads this line.
    public static let version = "0.2.0"

    /// The commit's short digest; nil if `make` did not build the program, or outside a checkout.
    public static var commit: String? {
        let commit = String(cString: thimble_commit())
        return commit.isEmpty ? nil : commit
    }
}
