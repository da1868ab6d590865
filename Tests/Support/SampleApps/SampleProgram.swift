/// A program in Mach-O format, with string literals and a code signature, but without code.
package struct SampleProgram: Sendable {
    /// The literals in the section `__cstring`.
    package var strings: [String]
    /// The property list of entitlements in the signature; nil without them.
    package var entitlements: [UInt8]?
    /// The property list in the section `__entitlements`, as of builds for the simulator.
    package var simulatorEntitlements: [UInt8]?
    package var signature = Signature.developer
    /// True with entitlements in DER beside or in place of the property list.
    package var hasEncodedEntitlements = true
    package var isEncrypted = false
    package var isWide = true
    /// True for a fat file of two processors.
    package var isFat = false

    package enum Signature: Sendable {
        case none
        /// With entitlements.
        case developer
        /// Only a code directory that the linker made.
        case linker
    }

    package init(strings: [String] = [], entitlements: [UInt8]? = nil) {
        self.strings = strings
        self.entitlements = entitlements
    }

    /// The file.
    package var bytes: [UInt8] {
        guard isFat else { return slice }
        let slice = slice
        // Page-aligned slices, as written by Apple's linker.
        let offset = 0x4000
        let second = offset + (slice.count + 0x3FFF) / 0x4000 * 0x4000
        var bytes: [UInt8] = []
        bytes.appendBig32(0xCAFE_BABE, 2)
        bytes.appendBig32(0x0100_0007, 3, offset, slice.count, 14)
        bytes.appendBig32(0x0100_000C, 0, second, slice.count, 14)
        bytes += [UInt8](repeating: 0, count: offset - bytes.count) + slice
        bytes += [UInt8](repeating: 0, count: second - bytes.count) + slice
        return bytes
    }

    private var slice: [UInt8] {
        var sections = [("__cstring", Array(strings.map { Array($0.utf8) + [0] }.joined()))]
        if let simulatorEntitlements { sections.append(("__entitlements", simulatorEntitlements)) }
        let superblob = signature == .none ? [] : superblob
        let header = isWide ? 32 : 28
        let segment = isWide ? 72 + 80 * sections.count : 56 + 68 * sections.count
        let commands =
            segment + (signature == .none ? 0 : 16) + (isEncrypted ? (isWide ? 24 : 20) : 0)
        var bytes: [UInt8] = []
        bytes.append32(isWide ? 0xFEED_FACF : 0xFEED_FACE, isWide ? 0x0100_000C : 12, 0, 2)
        bytes.append32(1 + (signature == .none ? 0 : 1) + (isEncrypted ? 1 : 0), commands, 0)
        if isWide { bytes.append32(0) }
        var data: [UInt8] = []
        var headers: [UInt8] = []
        for (name, contents) in sections {
            headers += sectionHeader(name, contents.count, at: header + commands + data.count)
            data += contents
        }
        bytes += segmentHeader(length: segment, sections: sections.count, file: data.count)
        bytes += headers
        if isEncrypted {
            bytes.append32(isWide ? 0x2C : 0x21, isWide ? 24 : 20, header + commands, data.count, 1)
            if isWide { bytes.append32(0) }
        }
        if signature != .none {
            bytes.append32(0x1D, 16, header + commands + data.count, superblob.count)
        }
        return bytes + data + superblob
    }

    private func segmentHeader(length: Int, sections: Int, file: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append32(isWide ? 0x19 : 0x1, length)
        bytes.append("__TEXT", padded: 16)
        for value in [0, file, 0, file] { bytes.append(value, count: isWide ? 8 : 4) }
        bytes.append32(5, 5, sections, 0)
        return bytes
    }

    private func sectionHeader(_ name: String, _ size: Int, at offset: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(name, padded: 16)
        bytes.append("__TEXT", padded: 16)
        bytes.append(offset, count: isWide ? 8 : 4)
        bytes.append(size, count: isWide ? 8 : 4)
        bytes.append32(offset, 0, 0, 0, 2, 0, 0)
        if isWide { bytes.append32(0) }
        return bytes
    }

    /// An embedded signature: code directory, entitlements and an empty CMS signature.
    private var superblob: [UInt8] {
        var blobs: [(slot: Int, bytes: [UInt8])] = []
        var directory: [UInt8] = []
        // Version 2.4; flags: ad hoc and made by the linker, or none.
        directory.appendBig32(0xFADE_0C02, 88, 0x2_0400, signature == .linker ? 0x2_0002 : 0)
        blobs.append((0, directory + [UInt8](repeating: 0, count: 72)))
        if signature == .developer {
            if let entitlements { blobs.append((5, blob(0xFADE_7171, entitlements))) }
            if hasEncodedEntitlements { blobs.append((7, blob(0xFADE_7172, [0x31, 0]))) }
            blobs.append((0x10000, blob(0xFADE_0B01, [])))
        }
        let header = 12 + 8 * blobs.count
        var bytes: [UInt8] = []
        bytes.appendBig32(
            0xFADE_0CC0, header + blobs.reduce(0) { $0 + $1.bytes.count }, blobs.count)
        var offset = header
        for (slot, blob) in blobs {
            bytes.appendBig32(slot, offset)
            offset += blob.count
        }
        return bytes + blobs.flatMap(\.bytes)
    }

    private func blob(_ magic: Int, _ contents: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBig32(magic, 8 + contents.count)
        return bytes + contents
    }
}
