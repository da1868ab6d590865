import AttachmentPipeline
import AttachmentFormats
import AttachmentModel
import Foundation
import Testing

/// Opens animation files for the duration of a call.
enum OpenAnimation {
    static let scratch = ScratchSpace(folder: "/var/tmp", ceiling: 1 << 30)

    /// Room for planes in scratch files.
    static var space: PlaneSpace { PlaneSpace(scratch) }

    static func at<Result>(
        _ path: String, isTolerant: Bool = true, _ body: (AnimationFile) throws -> Result
    ) throws -> Result {
        let handle = try FileHandle(forReadingFrom: URL(filePath: path))
        defer { try? handle.close() }
        let length = Int(try handle.seekToEnd())
        let format: AnimationFile.Format =
            path.hasSuffix(".gif") ? .gif : path.hasSuffix(".webp") ? .webp : .png
        return try body(
            AnimationFile(
                OpenFile(descriptor: handle.fileDescriptor, length: length), format: format,
                isTolerant: isTolerant))
    }

    /// Writes bytes to an unnamed file and opens it.
    static func bytes<Result>(
        _ bytes: [UInt8], _ format: AnimationFile.Format, isTolerant: Bool = true,
        _ body: (AnimationFile) throws -> Result
    ) throws -> Result {
        try withUnnamedFile { descriptor in
            #expect(pwrite(descriptor, bytes, bytes.count, 0) == bytes.count)
            return try body(
                AnimationFile(
                    OpenFile(descriptor: descriptor, length: bytes.count), format: format,
                    isTolerant: isTolerant))
        }
    }

    /// Provides a file that is deleted after the call.
    static func withUnnamedFile<Result>(_ body: (CInt) throws -> Result) throws -> Result {
        var path = Array("\(NSTemporaryDirectory())thimble-animation-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        try #require(descriptor >= 0)
        unlink(path)
        defer { close(descriptor) }
        return try body(descriptor)
    }

    static func contents(of descriptor: CInt) -> [UInt8] {
        let length = Int(lseek(descriptor, 0, SEEK_END))
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, length, 0))
        }
    }
}

extension AnimationOutline {
    init(of file: AnimationFile) throws {
        try self.init(
            of: file.frames(in: OpenAnimation.space), isTolerant: file.isTolerant,
            limits: AnimationLimits())
    }
}

/// Frames of an animation, drawn by the code under test.
struct DrawnAnimation {
    var width = 0
    var height = 0
    var plays: Int?
    var delays: [Int] = []
    /// The canvas after each frame.
    var pixels: [[UInt32]] = []
    /// Area that changed outside the reported region; nil if none did.
    var unannounced: PixelRect?

    init(_ file: AnimationFile) throws {
        let frames = try file.frames(in: OpenAnimation.space)
        (width, height) = (frames.canvas.width, frames.canvas.height)
        var before = [UInt32](repeating: 0, count: width * height)
        while let frame = try frames.next() {
            delays.append(frame.shownMilliseconds)
            let changed = try frames.draw()
            let now = Array(
                UnsafeBufferPointer(start: try frames.canvas.pixels(), count: width * height))
            for place in now.indices where now[place] != before[place] {
                let (x, y) = (place % width, place / width)
                let pixel = PixelRect(left: x, top: y, right: x + 1, bottom: y + 1)
                if !changed.contains(x: x, y: y) { unannounced = pixel }
            }
            pixels.append(now)
            before = now
        }
        plays = frames.plays
    }
}

extension ChangedRegion {
    func contains(x: Int, y: Int) -> Bool {
        rects.contains { $0.left..<$0.right ~= x && $0.top..<$0.bottom ~= y }
    }
}

/// Largest channel difference of two pixels; blank pixels have no colour.
func distance(_ left: UInt32, _ right: UInt32) -> Int {
    if left >> 24 == 0, right >> 24 == 0 { return 0 }
    return [0, 8, 16, 24].map { shift in
        abs(Int(left >> UInt32(shift) & 255) - Int(right >> UInt32(shift) & 255))
    }.max() ?? 0
}
