/// A parser under test.
struct FuzzTarget: Sendable {
    /// Name on the command line, and of corpus and dictionary.
    let name: String
    /// Seeds of formats other than pictures, which come from the seeds folder.
    let seeds: @Sendable () -> [[UInt8]]
    /// Parses one input.
    ///
    /// Only a trap is a finding.
    let read: @Sendable (FuzzInput) -> Void

    init(
        _ name: String, seeds: @escaping @Sendable () -> [[UInt8]] = { [] },
        read: @escaping @Sendable (FuzzInput) -> Void
    ) {
        (self.name, self.seeds, self.read) = (name, seeds, read)
    }

    static let all =
        headers + decoders + inflater + rowEngine + groups + animations + documents + manifests
        + transfers + stores + apps + inlinePictures

    static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}
