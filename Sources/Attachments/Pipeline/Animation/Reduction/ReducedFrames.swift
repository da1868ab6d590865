internal import AttachmentFormats

/// Reduced frames in a scratch file, so that an animation is decoded only once.
///
/// A record holds the changed rectangle of a frame and its pixels. Records are written and read in
/// sequence through one buffer; if all fit in it, there is no file.
final class ReducedFrames {
    /// In bytes.
    private static let bufferBytes = 32 << 10

    let width: Int
    let height: Int
    private let file: ScratchFile
    private let buffer: UnsafeMutableRawBufferPointer
    /// Position of the buffer in the file, and its bytes.
    private var start = 0
    private var count = 0
    private var length = 0
    private var isInFile = false
    private var position = 0

    init(width: Int, height: Int, in space: PlaneSpace) {
        (self.width, self.height, file) = (width, height, ScratchFile(in: space.scratch))
        buffer = .allocate(byteCount: Self.bufferBytes, alignment: 16)
    }

    deinit { buffer.deallocate() }

    // MARK: Writing

    func append(_ rect: PixelRect, of plane: PixelPlane) throws(DecodingFault) {
        let header = [rect.left, rect.top, rect.width, rect.height].map { UInt32($0) }
        try header.withUnsafeBufferPointer { header throws(DecodingFault) in
            try append(UnsafeRawBufferPointer(header))
        }
        for y in rect.top..<rect.bottom {
            let row = UnsafeBufferPointer(start: plane.row(y) + rect.left, count: rect.width)
            try append(UnsafeRawBufferPointer(row))
        }
    }

    private func append(_ bytes: UnsafeRawBufferPointer) throws(DecodingFault) {
        var rest = bytes
        while !rest.isEmpty {
            if count == buffer.count { try flush() }
            let part = min(rest.count, buffer.count - count)
            UnsafeMutableRawBufferPointer(rebasing: buffer[count..<count + part])
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<part]))
            count += part
            rest = UnsafeRawBufferPointer(rebasing: rest[part...])
        }
    }

    private func flush() throws(DecodingFault) {
        try file.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: start)
        isInFile = true
        start += count
        count = 0
    }

    /// Ends writing.
    func finish() throws(DecodingFault) {
        length = start + count
        if isInFile { try flush() }
    }

    // MARK: Reading

    /// Returns to the first frame.
    func rewind() {
        position = 0
        if isInFile { (start, count) = (0, 0) }
    }

    /// Draws the next frame on a plane of the same size, and returns its rectangle.
    func draw(on plane: PixelPlane) throws(DecodingFault) -> PixelRect {
        var numbers: [UInt32] = [0, 0, 0, 0]
        try numbers.withUnsafeMutableBufferPointer { numbers throws(DecodingFault) in
            try read(into: UnsafeMutableRawBufferPointer(numbers))
        }
        let (left, top) = (Int(numbers[0]), Int(numbers[1]))
        let rect = PixelRect(
            left: left, top: top, right: left + Int(numbers[2]), bottom: top + Int(numbers[3]))
        // The file is ours, but its bytes lie outside this process.
        guard rect == rect.intersection(plane.bounds) || rect.isEmpty else {
            throw DecodingFault(.scratch, at: 0, "a scratch file has changed")
        }
        for y in rect.top..<rect.bottom {
            let row = UnsafeMutableBufferPointer(start: plane.row(y) + rect.left, count: rect.width)
            try read(into: UnsafeMutableRawBufferPointer(row))
        }
        plane.didChange(rect)
        return rect
    }

    private func read(into bytes: UnsafeMutableRawBufferPointer) throws(DecodingFault) {
        var rest = bytes
        while !rest.isEmpty {
            if position == start + count { try refill() }
            let part = min(rest.count, start + count - position)
            let offset = position - start
            rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[offset..<offset + part]))
            position += part
            rest = UnsafeMutableRawBufferPointer(rebasing: rest[part...])
        }
    }

    private func refill() throws(DecodingFault) {
        let part = min(buffer.count, length - position)
        guard part > 0 else { throw DecodingFault(.scratch, at: 0, "a scratch file has changed") }
        try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<part]), at: position)
        (start, count) = (position, part)
    }
}

/// Frames stored by an earlier pass.
final class StoredFrames: FrameSource {
    let plane: PixelPlane
    private let frames: ReducedFrames
    private let changes: [Int]
    private let isCancelled: @Sendable () -> Bool
    private var count = 0

    /// `changes` are the numbers of changed pixels of all frames.
    init(
        _ frames: ReducedFrames, changes: [Int], in space: PlaneSpace,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(AnimationFault) {
        (self.frames, self.changes, self.isCancelled) = (frames, changes, isCancelled)
        plane = try AnimationFault.decoding { () throws(DecodingFault) in
            try PixelPlane(width: frames.width, height: frames.height, in: space)
        }
        frames.rewind()
    }

    func next() throws(AnimationFault) -> ReducedChange? {
        guard count < changes.count else { return nil }
        guard !isCancelled() else { throw AnimationFault(.cancelled, "the work was cancelled") }
        let (frames, plane) = (frames, plane)
        let rect = try AnimationFault.decoding { () throws(DecodingFault) in
            try frames.draw(on: plane)
        }
        defer { count += 1 }
        return ReducedChange(rect: rect, pixels: changes[count])
    }
}
