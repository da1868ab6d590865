/// A parser that is given bytes of any kind.
struct FuzzTarget: Sendable {
    /// What it is called on the command line, and its corpus and dictionary.
    let name: String
    /// First inputs that are no pictures; those come from the folder of seeds.
    let seeds: @Sendable () -> [[UInt8]]
    /// Reads one input to its end or its fault; only a trap is a finding.
    let read: @Sendable (FuzzInput) -> Void

    /// Names a parser.
    init(
        _ name: String, seeds: @escaping @Sendable () -> [[UInt8]] = { [] },
        read: @escaping @Sendable (FuzzInput) -> Void
    ) {
        (self.name, self.seeds, self.read) = (name, seeds, read)
    }

    /// Every parser of ours.
    static let all = headers + decoders + animations + documents + manifests

    /// The parser with a name.
    static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}
