import AttachmentContainer
import AttachmentModel

/// Groups of whole rows of units (T.81, A.2: MCU) between restart markers.
///
/// Nothing before its first marker changes a group (T.81, F.1.1.5.1: the prediction of DC begins again),
/// so any number of decoders can decode groups.
package struct JPEGRestartGroups: Sendable, Equatable {
    /// Least number of groups: with fewer, two decoders mostly wait for each other.
    static let leastCount = 4

    /// Rows of units in a group; the last group may have fewer.
    package let unitRows: Int
    /// Rows of units in the picture.
    package let allUnitRows: Int
    package let count: Int
    /// Restart intervals in a group.
    let intervals: Int
    /// Restart intervals in the picture.
    let allIntervals: Int

    /// Nil without groups; `interval` is the number of units between markers, 0 without markers.
    init?(size: PixelSize, sampling: JPEGSampling, interval: Int) {
        // A single component is coded block by block, whatever its factors (T.81, A.2.2), while libjpeg
        // reads as many rows of blocks at once as they say.
        let isGrey = sampling.components.count == 1
        guard interval > 0, !isGrey || sampling.unitHeight == 1 else { return nil }
        let unitWidth = isGrey ? 8 : 8 * Int(sampling.unitWidth)
        let unitHeight = 8 * Int(sampling.unitHeight)
        let unitsAcross = (size.width + unitWidth - 1) / unitWidth
        allUnitRows = (size.height + unitHeight - 1) / unitHeight
        unitRows = interval / Self.greatestCommonDivisor(interval, unitsAcross)
        count = (allUnitRows + unitRows - 1) / unitRows
        intervals = unitRows * unitsAcross / interval
        allIntervals = (allUnitRows * unitsAcross + interval - 1) / interval
        guard count >= Self.leastCount else { return nil }
    }

    /// Rows of units of a group.
    package func unitRows(of group: Int) -> Range<Int> {
        group * unitRows..<min((group + 1) * unitRows, allUnitRows)
    }

    private static func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
        var (greater, smaller) = (first, second)
        while smaller > 0 { (greater, smaller) = (smaller, greater % smaller) }
        return greater
    }
}
