/// What libjpeg-turbo reads of a block when it decodes at a lower scale (`jdmaster.c`,
/// `jidctred.c`).
enum JPEGReducedTransform {
    /// The zigzag places of the coefficients that are read, for each component of a frame.
    ///
    /// - Parameters:
    ///   - frame: The frame.
    ///   - loadShrink: The divisor that the picture is decoded at: 1, 2, 4 or 8.
    /// - Returns: For each component a mask with a bit for each zigzag place.
    static func neededCoefficients(of frame: JPEGFrameHeader, loadShrink: Int) -> [UInt64] {
        guard [2, 4, 8].contains(loadShrink) else {
            return frame.components.map { _ in .max }
        }
        return frame.components.map { component in
            needed(side: side(of: component, in: frame, loadShrink: loadShrink))
        }
    }

    /// The side of a decoded block in samples.
    ///
    /// Subsampled components are decoded at a higher scale, as long as that leaves less to enlarge:
    /// the side doubles while the frame's largest factor, in both directions, is a multiple of twice
    /// the component's (`jpeg_calc_output_dimensions`).
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

    /// The coefficients that the transform of a side reads.
    ///
    /// 1×1 is the DC coefficient alone. 2×2 uses the DC and the odd rows and columns, and 4×4 all but
    /// row and column 4: the even part of the transform that they belong to is left out, since its
    /// samples are not made.
    private static func needed(side: Int) -> UInt64 {
        switch side {
        case 1: return 1
        case 2: return places { $0 == 0 || $0 % 2 == 1 }
        case 4: return places { $0 != 4 }
        default: return .max
        }
    }

    private static func places(_ isRead: (Int) -> Bool) -> UInt64 {
        var mask: UInt64 = 0
        for (place, position) in zigzag.enumerated()
        where isRead(position / 8) && isRead(position % 8) {
            mask |= 1 << UInt64(place)
        }
        return mask
    }

    /// Where the coefficients stand in a block, row by row (T.81, figure A.6).
    private static let zigzag = [
        0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27,
        20, 13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
        58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
    ]
}
