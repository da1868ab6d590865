import AttachmentContainer
import Foundation

extension VipsImage {
    /// Light of coded grey or RGB as samples of 16 bits; alpha keeps its meaning.
    func inLinearLight() throws(VipsError) -> VipsImage {
        let levels = isDeep ? 65536 : 256
        return try mapped(by: .light(levels: levels, of: self), isDeep: true)
    }

    /// The inverse of ``inLinearLight()``, with 8 bits.
    func codedFromLight() throws(VipsError) -> VipsImage {
        try mapped(by: .codes(of: self), isDeep: false)
    }

    private func mapped(by table: VipsImage, isDeep: Bool) throws(VipsError) -> VipsImage {
        let space =
            switch (isGrey, isDeep) {
            case (true, true): "grey16"
            case (true, false): "b-w"
            case (false, true): "rgb16"
            case (false, false): "srgb"
            }
        return try applying("maplut", ["lut": .image(table)])
            .applying("copy", ["interpretation": .name(space)])
    }

    /// Light in 16 bits of each coded level.
    private static func light(levels: Int, of image: VipsImage) throws(VipsError) -> VipsImage {
        let highest = Double(levels - 1)
        return try table(levels: levels, of: image, isDeep: true) { level, isAlpha, entry in
            let share = Double(level) / highest
            let value = isAlpha ? share : share.lightOfSRGB
            entry.storeBytes(of: UInt16((65535 * value).rounded()), as: UInt16.self)
        }
    }

    /// Coded byte of each light in 16 bits.
    private static func codes(of image: VipsImage) throws(VipsError) -> VipsImage {
        try table(levels: 65536, of: image, isDeep: false) { level, isAlpha, entry in
            let share = Double(level) / 65535
            let value = isAlpha ? share : share.codedForSRGB
            entry.storeBytes(of: UInt8((255 * value).rounded()), as: UInt8.self)
        }
    }

    /// A table for the bands of a picture, of one band without alpha.
    private static func table(
        levels: Int, of image: VipsImage, isDeep: Bool,
        _ write: (_ level: Int, _ isAlpha: Bool, _ entry: UnsafeMutableRawPointer) -> Void
    ) throws(VipsError) -> VipsImage {
        let bands = image.hasAlpha ? image.bands : 1
        let entryBytes = isDeep ? 2 : 1
        var entries = [UInt8](repeating: 0, count: levels * bands * entryBytes)
        entries.withUnsafeMutableBytes { entries in
            guard let start = entries.baseAddress else { return }
            for index in 0..<levels * bands {
                write(
                    index / bands, bands > 1 && index % bands == bands - 1,
                    start + index * entryBytes)
            }
        }
        return try rows(
            size: PixelSize(width: levels, height: 1), bands: bands, isDeep: isDeep,
            colours: bands < 3 ? .grey : .rgb, profile: nil
        ) { row in
            row.copyBytes(from: entries)
        }
        .inMemory()
    }
}

extension Double {
    /// The transfer function of sRGB (IEC 61966-2-1, 5.2).
    fileprivate var lightOfSRGB: Double {
        self <= 0.04045 ? self / 12.92 : pow((self + 0.055) / 1.055, 2.4)
    }

    fileprivate var codedForSRGB: Double {
        self <= 0.0031308 ? 12.92 * self : 1.055 * pow(self, 1 / 2.4) - 0.055
    }
}
