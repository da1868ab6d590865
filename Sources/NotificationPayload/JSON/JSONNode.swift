/// One value or key of a document, as a range of its bytes.
///
/// The first byte tells the kind. The nodes of a document stand in its order, children behind their
/// container, the key of a member before its value.
struct JSONNode {
    /// Where the value begins.
    let start: UInt32
    /// The byte after the value.
    var end: UInt32
    /// The index of the first node that is not inside this one.
    var next: UInt32

    /// The bytes of the value.
    var range: Range<Int> { Int(start)..<Int(end) }
}
