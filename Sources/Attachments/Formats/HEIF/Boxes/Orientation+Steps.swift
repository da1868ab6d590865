internal import AttachmentModel

extension Orientation {
    /// Orientation after counterclockwise quarter turns, as in `irot` (ISO/IEC 23008-12, 6.5.10).
    func turned(counterClockwise quarterTurns: Int) -> Orientation {
        let (isMirrored, turns) = steps
        return Orientation(isMirrored: isMirrored, clockwise: turns - quarterTurns)
    }

    /// Orientation after a mirror (ISO/IEC 23008-12, 6.5.12).
    ///
    /// A mirror after a rotation equals a mirror before the opposite rotation. A mirror from top to
    /// bottom equals one from left to right plus half a turn.
    func mirrored(leftToRight: Bool) -> Orientation {
        let (isMirrored, turns) = steps
        return Orientation(isMirrored: !isMirrored, clockwise: (leftToRight ? 0 : 2) - turns)
    }

    var readsColumnsBackwards: Bool {
        switch self {
        case .mirrored, .rotated180, .transversed, .rotated270: true
        case .upright, .flipped, .transposed, .rotated90: false
        }
    }

    var readsRowsBackwards: Bool {
        switch self {
        case .flipped, .rotated180, .transversed, .rotated90: true
        case .upright, .mirrored, .transposed, .rotated270: false
        }
    }

    /// Each orientation is an optional left-to-right mirror followed by clockwise quarter turns.
    private var steps: (isMirrored: Bool, clockwise: Int) {
        if let turns = Self.mirroredTurns.firstIndex(of: self) { return (true, turns) }
        return (false, Self.turns.firstIndex(of: self) ?? 0)
    }

    private init(isMirrored: Bool, clockwise turns: Int) {
        self = (isMirrored ? Self.mirroredTurns : Self.turns)[turns & 3]
    }

    private static let turns: [Orientation] = [.upright, .rotated90, .rotated180, .rotated270]
    private static let mirroredTurns: [Orientation] = [
        .mirrored, .transversed, .flipped, .transposed,
    ]
}
