#if SYSTEM_CODECS
    internal import AttachmentContainer
    internal import AttachmentFormats
    internal import AttachmentModel

    extension ScratchSpace {
        /// The place of libjxl's large blocks, beside a plane; nil if blocks cannot be placed.
        func makeHeap(
            for header: AttachmentHeader, _ coding: JPEGXLCoding, beside plane: Int
        ) throws(DecodingFault) -> ScratchHeap? {
            let blocks = JPEGXLDemand.frame(of: header, coding)
            let needed = blocks + Double(plane)
            guard needed <= Double(ceiling) else {
                throw DecodingFault(
                    .scratchLimit, at: 0,
                    "its frame takes \(ByteCount(Int(min(needed, 1e15)))), and they may take "
                        + "\(ByteCount(ceiling))")
            }
            let room = Double(ceiling - liveBytes)
            return try makeHeap(
                bytes: Int(max(blocks, min(blocks + Self.roomForLaterFrames, room))),
                isConfined: true)
        }

        /// For frames after the first one, whose sizes are not read before, in bytes.
        private static var roomForLaterFrames: Double { 64_000_000 }
    }

    extension FrameMemory {
        /// Reads a file, because libjxl needs bytes that it has not consumed again.
        convenience init(of file: OpenFile, in scratch: ScratchSpace?) throws(DecodingFault) {
            try self.init(
                bytes: file.length, heapLimit: FrameMemory.planesOnHeap, scratch: scratch)
            var count = 0
            while count < file.length {
                let rest = UnsafeMutableRawBufferPointer(
                    rebasing: bytes[count..<min(file.length, count + 256 << 10)])
                let taken: Int
                do throws(OpenFile.ReadFailure) {
                    taken = try file.read(into: rest, at: count)
                } catch {
                    throw DecodingFault(.unreadable, at: count, error.reason)
                }
                guard taken > 0 else {
                    throw DecodingFault(.truncated, at: count, "the file was shortened")
                }
                count += taken
                mapping?.startWritingOut(after: taken)
            }
        }
    }
#endif
