import AttachmentContainer
import AttachmentModel
import Testing

@Suite("The cap that a refusal names")
struct NamedCapTests {
    private static let baseline = 5_200_000

    private func budget(_ cap: MemoryCap, baseline: Int) -> MemoryBudget {
        MemoryBudget(
            cap: cap, baseline: ByteCount(baseline), reserve: MemoryBudget.workerReserve)
    }

    // The footprints of 250 workers differed by up to 78 kB, those of a case of `make matrix` by up to
    // 100 kB.
    @Test(
        "It is enough in another process of the program",
        arguments: [0, 10_000, 78_000, 100_000])
    func isEnough(more: Int) {
        for demand in stride(from: 0, through: 3_000_000, by: 7_919).map(ByteCount.init) {
            let named = budget(.legacyServiceExtension, baseline: Self.baseline)
                .smallestCap(for: demand)
            let other = budget(MemoryCap(named), baseline: Self.baseline + more)
            #expect(other.work >= demand, "\(named) for \(demand)")
        }
    }
}
