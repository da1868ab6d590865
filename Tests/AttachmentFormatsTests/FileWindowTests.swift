import AttachmentFormats
import Foundation
import Testing

@Suite("File window", .timeLimit(.minutes(1)))
struct FileWindowTests {
    @Test(
        "Every byte of the range is read once and in order, at any capacity",
        arguments: [1, 7, 1000, 1 << 16])
    func reading(capacity: Int) throws {
        let file = try TemporaryBytes((0..<1000).map { UInt8(truncatingIfNeeded: $0) })
        var window = FileWindow(file.openFile, over: 10..<900, capacity: capacity)
        var read: [UInt8] = []
        while let byte = try window.readByte() { read.append(byte) }
        #expect(read == (10..<900).map { UInt8(truncatingIfNeeded: $0) })
        #expect(window.offset == 900)
    }

    @Test("Seeking works within and beyond the buffer")
    func seeking() throws {
        let file = try TemporaryBytes((0..<1000).map { UInt8(truncatingIfNeeded: $0) })
        var window = FileWindow(file.openFile, over: 0..<1000, capacity: 64)
        for offset in [500, 510, 499, 999, 0, 3] {
            window.seek(to: offset)
            #expect(try window.readByte() == UInt8(truncatingIfNeeded: offset))
        }
        window.seek(to: 1_000_000)
        #expect(try window.readByte() == nil)
    }

    @Test("A file shorter than its range ends early")
    func shortened() throws {
        let file = try TemporaryBytes([1, 2, 3])
        var window = FileWindow(file.openFile, over: 0..<10)
        var read: [UInt8] = []
        while let byte = try window.readByte() { read.append(byte) }
        #expect(read == [1, 2, 3])
    }

    @Test("Consumed bytes are not returned again")
    func taking() throws {
        let file = try TemporaryBytes([1, 2, 3, 4, 5])
        var window = FileWindow(file.openFile, over: 0..<5, capacity: 4)
        var pieces: [[UInt8]] = []
        for wanted in [3, 3, 3] {
            try window.withBytes { (bytes) throws(DecodingFault) in
                pieces.append(Array(bytes.prefix(wanted)))
                return min(wanted, bytes.count)
            }
        }
        #expect(pieces == [[1, 2, 3], [4], [5]])
    }
}
