package import AttachmentPlanning

extension Orientation {
    /// This, and then quarter turns.
    ///
    /// - Parameter quarterTurns: Against the clock, as `irot` has them (ISO/IEC 23008-12, 6.5.10).
    /// - Returns: Both in one.
    func turned(counterClockwise quarterTurns: Int) -> Orientation {
        Orientation(isMirrored: isMirrored, clockwise: clockwiseTurns - quarterTurns)
    }

    /// This, and then a mirror (ISO/IEC 23008-12, 6.5.12).
    ///
    /// A mirror that comes after a turn is one that comes before the opposite turn; one from top to
    /// bottom is one from left to right and half a turn.
    ///
    /// - Parameter leftToRight: Whether left and right change places, else top and bottom.
    /// - Returns: Both in one.
    func mirrored(leftToRight: Bool) -> Orientation {
        Orientation(
            isMirrored: !isMirrored, clockwise: (leftToRight ? 0 : 2) - clockwiseTurns)
    }

    /// Whether the upright picture begins with the last stored column.
    package var readsColumnsBackwards: Bool {
        switch self {
        case .mirrored, .rotated180, .transversed, .rotated270: true
        case .upright, .flipped, .transposed, .rotated90: false
        }
    }

    /// Whether the upright picture begins with the last stored row.
    package var readsRowsBackwards: Bool {
        switch self {
        case .flipped, .rotated180, .transversed, .rotated90: true
        case .upright, .mirrored, .transposed, .rotated270: false
        }
    }

    /// All eight are a mirror from left to right, or none, and then quarter turns clockwise.
    private init(isMirrored: Bool, clockwise turns: Int) {
        let cycle: [Orientation] =
            isMirrored
            ? [.mirrored, .transversed, .flipped, .transposed]
            : [.upright, .rotated90, .rotated180, .rotated270]
        self = cycle[turns & 3]
    }

    private var isMirrored: Bool {
        switch self {
        case .upright, .rotated90, .rotated180, .rotated270: false
        case .mirrored, .transversed, .flipped, .transposed: true
        }
    }

    private var clockwiseTurns: Int {
        switch self {
        case .upright, .mirrored: 0
        case .rotated90, .transversed: 1
        case .rotated180, .flipped: 2
        case .rotated270, .transposed: 3
        }
    }
}
