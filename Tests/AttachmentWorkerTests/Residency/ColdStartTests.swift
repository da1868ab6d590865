import AttachmentContainer
import AttachmentModel
import Foundation
import PageCache
import SampleMedia
import Testing

@testable import AttachmentWorker

extension PoolSuites {
    /// Without requested pages, each fault of a worker reads 8 MiB into its group, and evicts the
    /// pages of the one before.
    ///
    /// Not beside other tests, which it would slow down, and whose groups it would count.
    @Suite(
        "Starts with a cold page cache",
        .enabled(if: Machine.hasControlGroups, Machine.withoutControlGroups),
        .enabled(if: Thoroughness.isFull, "make test-thorough runs it alone"),
        .enabled(if: PageCache.isDroppable, "this process may not drop the page cache"),
        .enabled(if: Machine.disk?.isWritable == true, "the disk's read-ahead cannot be changed"))
    struct ColdStartTests {
        private static let cap = MemoryCap(.megabytes(12))

        @Test("Pages of a worker's program are not charged to its group", arguments: [8192, 128])
        func charged(readAhead: Int) async throws {
            let disk = try #require(Machine.disk)
            try await PoolFixture.with { fixture in
                try await disk.with(kilobytes: readAhead) {
                    try PageCache.drop()
                    try await fixture.withPool(cap: Self.cap, by: .cgroup) { pool in
                        try await pool.warmUp()
                        #expect(try Self.cachedInGroups() < 256 << 10)
                    }
                }
            }
        }

        @Test("Pictures are made by workers of both programs, two at once", arguments: [8192, 128])
        func made(readAhead: Int) async throws {
            let disk = try #require(Machine.disk)
            try await PoolFixture.with { fixture in
                let pictures = [
                    PoolFixture.sample("lake-baseline.jpg"), PoolFixture.sample("aurora.avif"),
                    try fixture.pictureForLibvips(), PoolFixture.sample("lake-evening.heic"),
                ]
                try await disk.with(kilobytes: readAhead) {
                    try PageCache.drop()
                    // With a cold cache and without the requests, each took half a minute.
                    try await fixture.withPool(
                        cap: Self.cap, workers: 2, by: .cgroup, timeout: .seconds(20)
                    ) { pool in
                        try await withThrowingTaskGroup { group in
                            for (index, picture) in pictures.enumerated() {
                                group.addTask {
                                    try await pool.process(picture, identifier: "\(index)").work
                                }
                            }
                            for try await work in group { #expect(work == .made) }
                        }
                        #expect(pool.statistics.lost == 0)
                    }
                }
            }
        }

        /// Page cache of all groups of workers, in bytes.
        private static func cachedInGroups() throws -> Int {
            let hierarchy = try #require(Machine.hierarchy)
            let groups = PoolFixture.groups
            #expect(!groups.isEmpty)
            let name = hierarchy.version == .v1 ? "cache" : "file"
            return try groups.map { group in
                try #require(
                    KernelFile.number(after: name, in: "\(hierarchy.folder)/\(group)/memory.stat"))
            }.reduce(0, +)
        }
    }
}

extension Machine {
    fileprivate static let disk = DiskReadAhead(ofDiskOf: PoolFixture.sample("lake-baseline.jpg"))
}
