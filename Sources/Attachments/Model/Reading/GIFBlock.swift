/// Bytes that introduce the blocks of a GIF (GIF89a, sections 20 and 23 to 27).
package enum GIFBlock {
    package static let image: UInt8 = 0x2C
    package static let `extension`: UInt8 = 0x21
    package static let trailer: UInt8 = 0x3B

    /// Labels after the introducer of an extension.
    package enum Label {
        package static let graphicControl: UInt8 = 0xF9
        package static let comment: UInt8 = 0xFE
        package static let application: UInt8 = 0xFF
    }
}
