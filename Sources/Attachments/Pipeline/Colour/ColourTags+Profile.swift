import AttachmentFormats
import AttachmentModel
import Foundation

extension ColourTags {
    /// An ICC profile of version 2.1 with the same meaning (ICC.1:2001).
    ///
    /// It has primaries adapted to D50, and a sampled curve. Nil for sRGB, and for PQ and HLG, which are
    /// tone-mapped instead. Conversions read it; no file contains it, so it lacks a description and a
    /// copyright.
    func profile(isGrey: Bool) -> [UInt8]? {
        guard changesColours(isGrey: isGrey), !isHighDynamicRange else { return nil }
        var profile = ProfileWriter(space: isGrey ? .grey : .rgb)
        profile.add("wtpt", xyz: Self.d50)
        let curve = Self.curve { transfer.light(of: $0) }
        guard !isGrey else {
            profile.add(["kTRC"], curve)
            return profile.bytes
        }
        let matrix = Self.adaptation(from: chromaticities.whiteXYZ) * chromaticities.toXYZ
        for (name, colour) in [
            ("rXYZ", matrix.first), ("gXYZ", matrix.second), ("bXYZ", matrix.third),
        ] {
            profile.add(name, xyz: colour)
        }
        profile.add(["rTRC", "gTRC", "bTRC"], curve)
        return profile.bytes
    }

    /// White of the connection space (ICC.1:2001, 6.1.8).
    private static let d50 = SIMD3<Float>(0.9642, 1, 0.8249)

    /// Bradford's adaptation of a white to D50 (ICC.1:2022, annex E).
    private static func adaptation(from white: SIMD3<Float>) -> Matrix3 {
        let bradford = Matrix3(
            columns: [0.8951, -0.7502, 0.0389], [0.2664, 1.7135, -0.0685],
            [-0.1614, 0.0367, 1.0296])
        let gain = (bradford * d50) / (bradford * white)
        let scaling = Matrix3(columns: [gain.x, 0, 0], [0, gain.y, 0], [0, 0, gain.z])
        return bradford.inverse * (scaling * bradford)
    }

    /// A `curv` element: between two of 1,024 entries, a straight line is off by less than a step of
    /// 16 bits.
    private static func curve(_ light: (Double) -> Double) -> [UInt8] {
        let count = 1024
        var element = Array("curv\0\0\0\0".utf8) + bigEndian(count)
        for index in 0..<count {
            let value = min(max(light(Double(index) / Double(count - 1)), 0), 1)
            element += bigEndian(Int((value * 65535).rounded()), bytes: 2)
        }
        return element
    }
}

/// Writes the header, the table and the elements of a profile.
private struct ProfileWriter {
    let space: ICCColourSpace
    private var tags: [(name: String, element: Int)] = []
    private var elements: [[UInt8]] = []

    init(space: ICCColourSpace) { self.space = space }

    mutating func add(_ name: String, xyz value: SIMD3<Float>) {
        let fixed = [value.x, value.y, value.z].flatMap { bigEndian(Int(($0 * 65536).rounded())) }
        add([name], Array("XYZ \0\0\0\0".utf8) + fixed)
    }

    /// Adds an element, whose length is a multiple of four, under several names.
    mutating func add(_ names: [String], _ element: [UInt8]) {
        tags += names.map { ($0, elements.count) }
        elements.append(element)
    }

    var bytes: [UInt8] {
        let start = 128 + 4 + 12 * tags.count
        let length = elements.reduce(start) { $0 + $1.count }
        // Length, preferred engine, version, class, colour space, connection space (6.1).
        var bytes = bigEndian(length) + bigEndian(0) + bigEndian(0x0210_0000)
        bytes += Array("mntr".utf8) + bigEndian(Int(space.code)) + Array("XYZ ".utf8)
        bytes += [UInt8](repeating: 0, count: 12) + Array("acsp".utf8)
        bytes += [UInt8](repeating: 0, count: 128 - bytes.count) + bigEndian(tags.count)
        for (name, index) in tags {
            let offset = elements[..<index].reduce(start) { $0 + $1.count }
            bytes += Array(name.utf8) + bigEndian(offset) + bigEndian(elements[index].count)
        }
        return bytes + elements.flatMap(\.self)
    }
}

private func bigEndian(_ value: Int, bytes: Int = 4) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - $0))) }
}
