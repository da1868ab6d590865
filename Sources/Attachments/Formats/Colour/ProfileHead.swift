internal import AttachmentModel

/// Bytes of a profile in a file, of which only the header and the tag table are read: the rest is 0.
///
/// They are all that `ICCProfile` needs to tell a usable profile.
struct ProfileHead: RandomAccessCollection {
    /// Header, count of tags, and as many entries as `ICCProfile` looks at (ICC.1:2022, 7.2 and 7.3).
    private static let length = 128 + 4 + 100 * 12

    private let head: [UInt8]
    let endIndex: Int

    var startIndex: Int { 0 }

    init(_ range: Range<Int>, of file: OpenFile) throws(DecodingFault) {
        // The file may end inside the profile.
        endIndex = Swift.max(0, Swift.min(range.count, file.length - range.lowerBound))
        let part = range.lowerBound..<range.lowerBound + Swift.min(endIndex, Self.length)
        head = try ColourProfile.read(part, of: file) ?? []
    }

    subscript(position: Int) -> UInt8 { position < head.count ? head[position] : 0 }
}
