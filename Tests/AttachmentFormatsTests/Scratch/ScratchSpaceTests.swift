@testable import AttachmentFormats
import Foundation
import Testing

@Suite("Scratch files", .timeLimit(.minutes(1)))
struct ScratchSpaceTests {
    @Test("A file is unlinked, zeroed, and freed with its last reference")
    func lifetime() throws {
        let folder = try TemporaryFolder()
        let space = ScratchSpace(folder: folder.path, ceiling: 8 << 20)
        var mapping: ScratchMapping? = try space.makeMapping(bytes: 5_000_000)
        let bytes = try #require(mapping?.file.bytes)
        #expect(bytes.count >= 5_000_000)
        #expect(bytes.allSatisfy { $0 == 0 })
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        #expect(space.liveBytes == bytes.count)
        #expect(throws: DecodingFault.self) { try space.makeMapping(bytes: 4_000_000) }
        mapping = nil
        #expect(space.liveBytes == 0)
        _ = try space.makeMapping(bytes: 8_000_000)
    }

    @Test("Small files are reused and zeroed")
    func usedAgain() throws {
        let space = ScratchSpace(folder: NSTemporaryDirectory(), ceiling: 2 << 20)
        let addresses = try (0..<5).map { _ in
            let mapping = try space.makeMapping(bytes: 400_000)
            let bytes = mapping.file.bytes
            #expect(bytes.allSatisfy { $0 == 0 })
            bytes.initializeMemory(as: UInt8.self, repeating: 7)
            return bytes.baseAddress
        }
        #expect(Set(addresses).count == 1)
        #expect(space.liveBytes == 0)
        // Cached files are evicted for larger ones.
        let large = try space.makeMapping(bytes: 2 << 20)
        #expect(large.file.count == 2 << 20)
    }

    /// Lengths of the files in a folder that this process has mapped, in bytes.
    private func mappedFiles(in folder: String) throws -> Set<Int> {
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/maps"))
        let maps = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        return Set(
            maps.split(separator: "\n").filter { $0.contains(folder) }.compactMap { line in
                let ends = line.prefix { $0 != " " }.split(separator: "-")
                    .compactMap { Int($0, radix: 16) }
                return ends.count == 2 ? ends[1] - ends[0] : nil
            })
    }

    @Test(
        "Files are kept for the next picture only as far as changed bytes may wait",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/maps"), "needs Linux"))
    func keptFiles() throws {
        let folder = try TemporaryFolder()
        let megabyte = 1 << 20
        let space = ScratchSpace(folder: folder.path, ceiling: 64 * megabyte)
        let uses: [(room: Int, kept: Set<Int>)] = [
            // At first there is no room, for which 5 MB are too much.
            (8 * megabyte, [2 * megabyte, 3 * megabyte]),
            (8 * megabyte, [3 * megabyte, 5 * megabyte]), (3 * megabyte, [3 * megabyte]), (0, []),
        ]
        for (room, kept) in uses {
            do {
                let mappings = try [2, 3, 5, 17].map { try space.makeMapping(bytes: $0 * megabyte) }
                for mapping in mappings {
                    mapping.bytes.initializeMemory(as: UInt8.self, repeating: 7)
                }
            }
            #expect(space.liveBytes == 0)
            space.setRoomForDirtyPages(room)
            #expect(try mappedFiles(in: folder.path) == kept)
        }
    }

    @Test("A missing folder and an impossible length are faults")
    func refusals() throws {
        let missing = ScratchSpace(folder: "/no/such/folder", ceiling: 1 << 20)
        let fault = #expect(throws: DecodingFault.self) { try missing.makeMapping(bytes: 100_000) }
        #expect(fault?.code == .scratch)
        let space = ScratchSpace(folder: NSTemporaryDirectory(), ceiling: .max)
        for length in [1 << 55, Int.max - 5000, .max] {
            #expect(throws: DecodingFault.self) { try space.makeMapping(bytes: length) }
        }
        #expect(space.liveBytes == 0)
    }

    @Test(
        "A folder in memory is rejected with a remedy",
        .enabled(
            if: FileManager.default.isWritableFile(atPath: "/dev/shm"), "/dev/shm is not writable"))
    func inMemory() throws {
        let space = ScratchSpace(folder: "/dev/shm", ceiling: 1 << 20)
        let fault = #expect(throws: DecodingFault.self) { try space.makeMapping(bytes: 100_000) }
        #expect(fault?.code == .scratch)
        #expect(fault?.reason.contains("choose one on a disk") == true)
    }

    @Test(
        "Kept files are dropped when another file has no room for changed bytes left",
        .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/maps"), "needs Linux"))
    func displacedFiles() throws {
        let folder = try TemporaryFolder()
        let megabyte = 1 << 20
        let space = ScratchSpace(folder: folder.path, ceiling: 64 * megabyte)
        space.setRoomForDirtyPages(4 * megabyte)
        _ = try space.makeMapping(bytes: 3 * megabyte)
        let file = AttachmentFormats.ScratchFile(in: space)
        let bytes = [UInt8](repeating: 7, count: megabyte)
        for (written, kept) in [(4, [3 * megabyte]), (6, [])] as [(Int, Set<Int>)] {
            for offset in 0..<written {
                try bytes.withUnsafeBytes { try file.write($0, at: offset * megabyte) }
            }
            #expect(try mappedFiles(in: folder.path) == kept)
        }
    }
}
