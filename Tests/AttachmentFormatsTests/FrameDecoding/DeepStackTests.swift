#if SYSTEM_CODECS && os(Linux)
    @testable import AttachmentFormats
    import AttachmentModel
    import Foundation
    import SampleMedia
    import Testing

    /// Depth of the stack under `work`: paints the free stack, and finds the lowest changed byte.
    private enum PaintedStack {
        private static let bytes = 4 << 20
        private static let paint: UInt8 = 0xA5
        /// Bytes under the painter's own frame that stay unpainted.
        private static let margin = 16 << 10

        /// Bytes at the stack's top that the thread's own frames and data take at most.
        private static let top = 64 << 10

        static func depth(of work: () throws -> Void) throws -> Int {
            let depth = try DeepStack.run(bytes: bytes) {
                var here: UInt8 = 0
                return try withUnsafeMutablePointer(to: &here) { here in
                    let start = UnsafeMutableRawPointer(here) - (bytes - top)
                    let free = bytes - top - margin
                    start.initializeMemory(as: UInt8.self, repeating: paint, count: free)
                    try work()
                    let painted = UnsafeRawBufferPointer(start: start, count: free)
                    return bytes - top - (painted.firstIndex { $0 != paint } ?? free)
                }
            }
            return try #require(depth)
        }
    }

    @Suite("Stacks of frame decoders")
    struct DeepStackTests {
        private static let scratch = ScratchSpace(
            folder: NSTemporaryDirectory(), ceiling: 64 << 20)

        private func depth(_ recipe: FrameRecipe) throws -> Int {
            let piece = try #require(try FramePiece.code([recipe])[recipe])
            let file = try TemporaryBytes(piece.bytes)
            let decoder = FrameDecoder(
                file: file.openFile, scratch: Self.scratch, isCancelled: { false })
            let frame = piece.frame()
            return try PaintedStack.depth {
                let bytes = try ExtentReader(file.openFile, extents: frame.extents)
                _ =
                    frame.isAV1
                    ? try AV1Session(frame, decoder).decode(bytes)
                    : try HEVCSession(frame, decoder).decode(bytes)
            }
        }

        @Test(
            "dav1d's C code leaves a quarter of its stack, with every depth and sampling",
            arguments: [8, 10, 12], ["420", "444"])
        func av1(bits: Int, chroma: String) throws {
            // The C code in place of assembler, as on processors without vector instructions.
            try Self.setVectorInstructions(0)
            defer { try? Self.setVectorInstructions(.max) }
            let coarse = ["--min", "40", "--max", "45", "-s", "3"]
            var deepest = 0
            for isNoise in [false, true] {
                deepest = max(
                    deepest,
                    try depth(
                        FrameRecipe(
                            width: 232, height: 168, chroma: chroma, bits: bits, options: coarse,
                            isNoise: isNoise)))
            }
            #expect(deepest < FrameDemand.stackOfAV1 / 4 * 3)
        }

        /// Calls `dav1d_set_cpu_flags_mask`, which dav1d exports without declaring it.
        private static func setVectorInstructions(_ mask: UInt32) throws {
            typealias SetMask = @convention(c) (UInt32) -> Void
            let symbol = try #require(dlsym(nil, "dav1d_set_cpu_flags_mask"))
            unsafeBitCast(symbol, to: SetMask.self)(mask)
        }

        @Test(
            "libde265 leaves half of the stack of a thread, with every depth and sampling",
            arguments: [8, 10, 12], ["420", "444"])
        func hevc(bits: Int, chroma: String) throws {
            let deepest = try depth(
                FrameRecipe(isAV1: false, width: 232, height: 168, chroma: chroma, bits: bits))
            #expect(deepest < DataLimit.threadStack / 2)
        }
    }

    extension DeepStackTests {
        @Test("Work on a deep stack returns values, throws errors, and leaves no mapping")
        func results() throws {
            struct Fault: Error {}
            let before = try Self.mappings()
            #expect(DeepStack.run(bytes: 1 << 20) { 7 } == 7)
            #expect(throws: Fault.self) {
                try DeepStack.run(bytes: 1 << 20) { throw Fault() }
            }
            for _ in 0..<20 { #expect(DeepStack.run(bytes: 8 << 20) { true } == true) }
            #expect(try Self.mappings() < before + 8 << 20)
        }

        /// Private writable memory of this process, in bytes.
        private static func mappings() throws -> Int {
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmData:") })
            return try #require(Int(line.split { $0 == " " || $0 == "\t" }[1])) << 10
        }
    }
#endif
