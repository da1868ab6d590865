import SampleMedia

/// GIF, assembled from blocks.
struct SampleGIF {
    var width = 40
    var height = 30
    /// Flags of the screen: a global table of 4 colours.
    var flags: UInt8 = 0x81
    var blocks: [UInt8] = picture()

    static func picture(
        left: Int = 0, top: Int = 0, width: Int = 40, height: Int = 30, localBits: UInt8? = nil
    ) -> [UInt8] {
        let table = localBits.map { [UInt8].zeros(3 << Int($0)) } ?? []
        return [0x2C] + .little16(left) + .little16(top) + .little16(width) + .little16(height)
            + [localBits.map { 0x80 | ($0 - 1) } ?? 0] + table + [2, 3, 0x44, 0x01, 0x05, 0]
    }

    static func graphicControl(transparent: Bool) -> [UInt8] {
        [0x21, 0xF9, 4, transparent ? 1 : 0, 10, 0, 0, 0]
    }

    static func application(_ name: String) -> [UInt8] {
        [0x21, 0xFF, 11] + .ascii(name) + [3, 1, 0, 0, 0]
    }

    static let comment: [UInt8] = [0x21, 0xFE, 2] + .ascii("hi") + [0]

    var bytes: [UInt8] {
        let table: [UInt8] = flags & 0x80 == 0 ? [] : .zeros(6 << Int(flags & 7))
        return .ascii("GIF89a") + .little16(width) + .little16(height) + [flags, 0, 0] + table
            + blocks + [0x3B]
    }
}
