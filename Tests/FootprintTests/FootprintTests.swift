import AttachmentContainer
import AttachmentModel
import Foundation
import Testing

/// Anonymous mapping of known size, so that no allocator retains it.
private struct Mapping: ~Copyable {
    private let start: UnsafeMutableRawPointer
    private let count: Int

    init(mebibytes: Int) throws {
        count = mebibytes << 20
        let mapped = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let mapped, mapped != MAP_FAILED else { throw POSIXError(.ENOMEM) }
        start = mapped
    }

    deinit { munmap(start, count) }

    /// Writes one byte to every page, which adds it to the footprint.
    func touch() {
        for offset in stride(from: 0, to: count, by: 4096) {
            start.storeBytes(of: 1, toByteOffset: offset, as: UInt8.self)
        }
    }
}

/// Footprints cover the whole process, so nothing else may allocate at the same time.
@Suite("Footprint", .serialized, .timeLimit(.minutes(1)))
struct FootprintTests {
    /// Allowance for the test's own allocations, in bytes.
    private let slack = 1 << 20

    private func now() throws -> Int { try #require(Footprint.current()).bytes }

    @Test("Touched memory counts while it is mapped, and not afterwards")
    func touched() throws {
        let before = try now()
        try {
            let mapping = try Mapping(mebibytes: 32)
            mapping.touch()
            #expect(abs(try now() - before - 32 << 20) < slack)
        }()
        #expect(abs(try now() - before) < slack)
    }

    @Test("Untouched memory does not count")
    func untouched() throws {
        let before = try now()
        let mapping = try Mapping(mebibytes: 64)
        #expect(abs(try now() - before) < slack)
        _ = consume mapping
    }

    @Test("Pages of a mapped file do not count")
    func fileBacked() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        #expect(FileManager.default.createFile(atPath: path, contents: Data(count: 16 << 20)))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        let before = try now()
        let mapped = mmap(nil, 16 << 20, PROT_READ, MAP_SHARED, descriptor, 0)
        let start = try #require(mapped != MAP_FAILED ? mapped : nil)
        defer { munmap(start, 16 << 20) }
        let sum = stride(from: 0, to: 16 << 20, by: 4096).reduce(0) {
            $0 + Int(start.load(fromByteOffset: $1, as: UInt8.self))
        }
        #expect(sum == 0)
        #expect(abs(try now() - before) < slack)
    }

    @Test("A recorder reports a peak that is already over")
    func peak() throws {
        let recorder = PeakRecorder()
        let before = try now()
        let interval = recorder.begin()
        try {
            let mapping = try Mapping(mebibytes: 48)
            mapping.touch()
        }()
        let peak = recorder.peak(of: interval).bytes - before
        recorder.end(interval)
        #expect(abs(peak - 48 << 20) < 2 * slack)
    }

    @Test("A peak of an earlier interval does not count toward the next")
    func intervals() throws {
        let recorder = PeakRecorder()
        let first = recorder.begin()
        try {
            let mapping = try Mapping(mebibytes: 48)
            mapping.touch()
        }()
        recorder.end(first)
        let before = try now()
        let second = recorder.begin()
        #expect(recorder.peak(of: second).bytes - before < 2 * slack)
        recorder.end(second)
        #expect(recorder.peak(of: second) == ByteCount(0), "it has ended")
    }

    @Test("Overlapping intervals keep their own peaks")
    func overlapping() throws {
        let recorder = PeakRecorder()
        let before = try now()
        let outer = recorder.begin()
        let held = try Mapping(mebibytes: 16)
        held.touch()
        let inner = recorder.begin()
        try {
            let mapping = try Mapping(mebibytes: 32)
            mapping.touch()
        }()
        recorder.end(inner)
        let peak = recorder.peak(of: outer).bytes - before
        recorder.end(outer)
        #expect(abs(peak - 48 << 20) < 2 * slack)
        _ = consume held
    }

    #if os(Linux)
        @Test("The footprint of another process is measured")
        func otherProcess() throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sleep")
            process.arguments = ["30"]
            try process.run()
            defer { process.terminate() }
            let footprint = try #require(Footprint.current(of: process.processIdentifier))
            #expect(footprint < .mebibytes(4))
            #expect(Footprint.current(of: Int32.max) == nil)
        }
    #endif
}
