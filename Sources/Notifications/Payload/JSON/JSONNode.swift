/// The byte range of a value or key.
///
/// The first byte identifies the kind. Nodes are in document order: containers precede their
/// children, keys precede their values.
struct JSONNode {
    let start: UInt32
    var end: UInt32
    /// The index of the first node outside this one.
    var next: UInt32

    var range: Range<Int> { Int(start)..<Int(end) }
}
