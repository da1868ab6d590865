/// A conversion of inks without a usable profile to sRGB, as printed by the default press.
///
/// Multilinear interpolation takes 40 KB where Little CMS and a press profile take megabytes, and 51 to
/// 70 ns a pixel (measured with random inks).
final class PressConversion: RowConverting {
    /// Colours of the grid, from 0 to 255.
    private let colours: [SIMD4<Float>]
    /// Place of a sample in the grid: the lower value, and the distance from it.
    private let places: [(index: Int, distance: Float)]
    private let isDeep: Bool

    init(of layout: PlaneLayout) {
        let table = PressTable.colours
        colours = stride(from: 0, to: table.count - 2, by: 3).map {
            SIMD4(Float(table[$0]), Float(table[$0 + 1]), Float(table[$0 + 2]), 0)
        }
        isDeep = layout.sampleBytes == 2
        let isInverted = layout.colours == .invertedCMYK
        places = (0...255).map { sample in
            let place = Float((isInverted ? 255 - sample : sample) * (PressTable.side - 1)) / 255
            let index = min(Int(place), PressTable.side - 2)
            return (index, place - Float(index))
        }
    }

    func convertRow(_ source: UnsafeRawPointer, to pixels: UnsafeMutableRawBufferPointer) {
        colours.withUnsafeBufferPointer { colours in
            places.withUnsafeBufferPointer { places in
                var last: (inks: SIMD4<UInt8>, colour: SIMD4<UInt8>)?
                for pixel in 0..<pixels.count / 3 {
                    let inks = inks(at: pixel, of: source)
                    // Flat areas are common in pictures for print.
                    let colour: SIMD4<UInt8>
                    if let last, last.inks == inks {
                        colour = last.colour
                    } else {
                        colour = Self.colour(of: inks, colours, places)
                        last = (inks, colour)
                    }
                    for band in 0..<3 { pixels[3 * pixel + band] = colour[band] }
                }
            }
        }
    }

    private func inks(at pixel: Int, of source: UnsafeRawPointer) -> SIMD4<UInt8> {
        guard isDeep else {
            return source.loadUnaligned(fromByteOffset: 4 * pixel, as: SIMD4<UInt8>.self)
        }
        let samples = source.loadUnaligned(fromByteOffset: 8 * pixel, as: SIMD4<UInt16>.self)
        // Rounded division by 257.
        let wide = SIMD4<UInt32>(truncatingIfNeeded: samples) &* 255 &+ 32_895
        return SIMD4<UInt8>(truncatingIfNeeded: wide &>> 16)
    }

    private static func colour(
        of inks: SIMD4<UInt8>, _ colours: UnsafeBufferPointer<SIMD4<Float>>,
        _ places: UnsafeBufferPointer<(index: Int, distance: Float)>
    ) -> SIMD4<UInt8> {
        let side = PressTable.side
        let (cyan, magenta) = (places[Int(inks.x)], places[Int(inks.y)])
        let (yellow, black) = (places[Int(inks.z)], places[Int(inks.w)])
        func blackLine(_ first: Int) -> SIMD4<Float> {
            mix(colours[first], colours[first + 1], black.distance)
        }
        func yellowPlane(_ first: Int) -> SIMD4<Float> {
            mix(blackLine(first), blackLine(first + side), yellow.distance)
        }
        func magentaCube(_ first: Int) -> SIMD4<Float> {
            mix(yellowPlane(first), yellowPlane(first + side * side), magenta.distance)
        }
        let first =
            ((cyan.index * side + magenta.index) * side + yellow.index) * side + black.index
        let colour = mix(
            magentaCube(first), magentaCube(first + side * side * side), cyan.distance)
        // Between the table's colours. The vector's own conversion takes four times as long.
        let rounded = colour + 0.5
        return SIMD4(UInt8(rounded.x), UInt8(rounded.y), UInt8(rounded.z), 0)
    }

    private static func mix(
        _ first: SIMD4<Float>, _ second: SIMD4<Float>, _ share: Float
    ) -> SIMD4<Float> {
        first + (second - first) * share
    }
}
