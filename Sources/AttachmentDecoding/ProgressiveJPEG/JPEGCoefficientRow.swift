/// The coefficients of one row of units, of all components: the only ones that are ever held.
final class JPEGCoefficientRow {
    /// The blocks of one component; valid as long as the row lives, which owns the memory.
    struct Plane {
        /// Blocks in zigzag order, line by line, each of ``stride`` coefficients.
        let coefficients: UnsafeMutablePointer<Int16>
        /// For each block which of the AC coefficients are not zero.
        let masks: UnsafeMutablePointer<UInt64>
        /// Coefficients that are kept of a block: 64, or 1 when only the DC is needed.
        let stride: Int
        /// Blocks in a line, with those that only fill up the last unit.
        let columns: Int
        /// Lines of blocks.
        let lines: Int
    }

    /// In the order of the frame.
    let planes: [Plane]

    /// Makes a row of zeros.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - neededCoefficients: For each component which coefficients are read.
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
