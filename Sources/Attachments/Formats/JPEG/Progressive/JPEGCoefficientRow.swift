/// Coefficients of one row of units; no other coefficients are kept.
package final class JPEGCoefficientRow {
    package struct Plane {
        /// Blocks in row order, each of ``stride`` coefficients in zigzag order.
        package let coefficients: UnsafeMutablePointer<Int16>
        /// Mask of each block's non-zero AC coefficients.
        package let masks: UnsafeMutablePointer<UInt64>
        /// Coefficients kept per block: 64, or 1 if only the DC is needed.
        package let stride: Int
        package let columns: Int
        package let lines: Int
    }

    package let planes: [Plane]

    init(of frame: JPEGFrameHeader, neededCoefficients: [UInt64]) {
        planes = zip(frame.components, neededCoefficients).map { component, needed in
            let columns = frame.unitsAcross * component.horizontal
            let blocks = columns * component.vertical
            let stride = needed == 1 ? 1 : 64
            let coefficients = UnsafeMutablePointer<Int16>.allocate(capacity: blocks * stride)
            coefficients.initialize(repeating: 0, count: blocks * stride)
            let masks = UnsafeMutablePointer<UInt64>.allocate(capacity: blocks)
            masks.initialize(repeating: 0, count: blocks)
            return Plane(
                coefficients: coefficients, masks: masks, stride: stride, columns: columns,
                lines: component.vertical)
        }
    }

    deinit {
        for plane in planes {
            plane.coefficients.deallocate()
            plane.masks.deallocate()
        }
    }
}
