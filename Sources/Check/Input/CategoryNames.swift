/// Identifiers of categories, in their order, with a fast search.
///
/// They differ byte for byte, while `Set<String>` would equate different encodings of an accent.
struct CategoryNames {
    private(set) var list: [String] = []
    private var known: Set<[UInt8]> = []

    init(_ names: some Sequence<String> = []) {
        for name in names { insert(name) }
    }

    /// Appends a name; returns false if it is contained.
    @discardableResult
    mutating func insert(_ name: String) -> Bool {
        guard known.insert(Array(name.utf8)).inserted else { return false }
        list.append(name)
        return true
    }

    func contains(_ name: String) -> Bool { known.contains(Array(name.utf8)) }

    /// The name that is most similar to a missing one.
    func nearest(to name: String) -> NearMiss? {
        NearMiss.nearest(to: name, among: list.prefix(NearMiss.candidateLimit))
    }
}
