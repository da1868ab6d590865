import Foundation

/// A GIF of 2×2 pixels, of which each block can be replaced.
struct StillGIF {
    var screen: [UInt8] = [2, 0, 2, 0]
    /// Blocks before the picture.
    var blocks: [UInt8] = []
    /// Indices 0, 1, 1, 0 between a clear and an end code of three bits.
    var data: [UInt8] = [2, 3, 0x44, 0x02, 0x05, 0]
    /// What follows the picture: the trailer, and perhaps blocks around it.
    var end: [UInt8] = [0x3B]

    var bytes: Data {
        let palette: [UInt8] = [255, 0, 0, 0, 0, 255, 0, 255, 0, 255, 255, 255]
        let descriptor: [UInt8] = [0x2C, 0, 0, 0, 0, 2, 0, 2, 0, 0]
        let parts = [
            Array("GIF89a".utf8), screen, [0x81, 0, 0], palette, blocks, descriptor, data, end,
        ]
        return Data(parts.joined())
    }
}
