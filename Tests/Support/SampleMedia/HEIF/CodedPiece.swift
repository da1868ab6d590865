/// A small coded picture, cut out of its file.
package struct CodedPiece: Sendable {
    package let isAV1: Bool
    package let configuration: [UInt8]
    package let bytes: [UInt8]
    package let width: Int
    package let height: Int

    package init(
        isAV1: Bool, configuration: [UInt8], bytes: [UInt8], width: Int, height: Int
    ) {
        self.isAV1 = isAV1
        self.configuration = configuration
        self.bytes = bytes
        self.width = width
        self.height = height
    }

    /// Cuts the picture out of a file whose media data contains nothing else; nil for others.
    package init?(onlyPictureOf file: [UInt8]) {
        guard let configuration = Self.payload("hvcC", of: file) ?? Self.payload("av1C", of: file),
            let bytes = Self.payload("mdat", of: file), let size = Self.payload("ispe", of: file)
        else { return nil }
        func side(_ start: Int) -> Int { size[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        self.init(
            isAV1: Self.payload("av1C", of: file) != nil, configuration: configuration,
            bytes: bytes, width: side(4), height: side(8))
    }

    private static func payload(_ type: String, of file: [UInt8]) -> [UInt8]? {
        guard let name = file.firstRange(of: Array(type.utf8)), name.lowerBound >= 4 else {
            return nil
        }
        let count = file[name.lowerBound - 4..<name.lowerBound].reduce(0) { $0 << 8 | Int($1) }
        let end = name.lowerBound - 4 + count
        return end <= file.count && count >= 8 ? Array(file[name.upperBound..<end]) : nil
    }

    package var type: String { isAV1 ? "av01" : "hvc1" }

    /// Item properties of the piece.
    package var properties: [[UInt8]] {
        [
            HEIFWriter.box(isAV1 ? "av1C" : "hvcC", configuration),
            HEIFWriter.size(width, height),
        ]
    }

    package func item(_ identifier: Int, _ more: [[UInt8]] = []) -> HEIFWriter.Item {
        HEIFWriter.Item(
            identifier: identifier, type: type, bytes: bytes, properties: properties + more)
    }
}
