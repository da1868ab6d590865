/// Coefficients that libjpeg-turbo reads when decoding at a reduced scale (`jdmaster.c`,
/// `jidctred.c`).
enum JPEGReducedTransform {
    /// Returns, for each component, a mask of the zigzag positions that are read at a scale of 1/1,
    /// 1/2, 1/4 or 1/8.
    static func neededCoefficients(of frame: JPEGFrameHeader, loadShrink: Int) -> [UInt64] {
        guard [2, 4, 8].contains(loadShrink) else {
            return frame.components.map { _ in .max }
        }
        return frame.components.map { component in
            needed(side: side(of: component, in: frame, loadShrink: loadShrink))
        }
    }

    /// Subsampled components are decoded at a higher scale: the side of a block doubles while the
    /// frame's largest factor, in both directions, is a multiple of twice the component's
    /// (`jpeg_calc_output_dimensions`).
    private static func side(
        of component: JPEGFrameHeader.Component, in frame: JPEGFrameHeader, loadShrink: Int
    ) -> Int {
        let least = 8 / loadShrink
        var side = least
        while side < 8, frame.horizontal * least % (component.horizontal * side * 2) == 0,
            frame.vertical * least % (component.vertical * side * 2) == 0
        {
            side *= 2
        }
        return side
    }

    /// 1×1 reads only the DC coefficient; 2×2 also the odd rows and columns; 4×4 all but row and
    /// column 4, whose part of the transform is omitted.
    private static func needed(side: Int) -> UInt64 {
        switch side {
        case 1: return 1
        case 2: return positions { $0 == 0 || $0 % 2 == 1 }
        case 4: return positions { $0 != 4 }
        default: return .max
        }
    }

    private static func positions(_ isRead: (Int) -> Bool) -> UInt64 {
        var mask: UInt64 = 0
        for (index, position) in zigzag.enumerated()
        where isRead(position / 8) && isRead(position % 8) {
            mask |= 1 << UInt64(index)
        }
        return mask
    }

    /// Row-order positions of the zigzag sequence (T.81, figure A.6).
    static let zigzag = [
        0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27,
        20, 13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
        58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
    ]
}
