@testable import AttachmentFormats
import AttachmentModel
import CZlib
import Randomness
import Testing

@Suite("Image data inflater", .timeLimit(.minutes(1)))
struct InflateTests {
    /// Bytes of many kinds: noise, runs, few values, and distant repeats.
    private func sample(_ length: Int, seed: UInt64) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length + 300)
        while bytes.count < length {
            let word = random.next()
            let count = 1 + Int(word >> 8 & 0xFF)
            switch word & 7 {
            case 0: for _ in 0..<count { bytes.append(UInt8(random.next() & 0xFF)) }
            case 1: for _ in 0..<count { bytes.append(UInt8(random.next() & 3)) }
            case 2: bytes += [UInt8](repeating: UInt8(word >> 16 & 0xFF), count: count)
            default:
                let distance = 1 + Int(word >> 32) % (word & 8 == 0 ? 12 : 40_000)
                guard distance <= bytes.count else { continue }
                for _ in 0..<count { bytes.append(bytes[bytes.count - distance]) }
            }
        }
        return bytes
    }

    /// Deflates with a full flush after each piece.
    private func deflated(
        _ bytes: [UInt8], level: CInt, memory: CInt = 8, strategy: CInt = Z_DEFAULT_STRATEGY,
        pieces: Int = 1
    ) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(
            &stream, level, Z_DEFLATED, 15, memory, strategy, ZLIB_VERSION,
            CInt(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: bytes.count * 2 + 1000)
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                for piece in 1...pieces {
                    stream.avail_in = uInt(
                        bytes.count * piece / pieces - Int(stream.total_in))
                    deflate(&stream, piece == pieces ? Z_FINISH : Z_FULL_FLUSH)
                }
                return Int(stream.total_out)
            }
        }
        return Array(output.prefix(count))
    }

    private func inflater(
        _ file: TemporaryBytes, _ length: Int, isTolerant: Bool
    ) throws -> ImageDataInflater {
        try ImageDataInflater(
            .init(
                file: OpenFile(descriptor: file.descriptor, length: length), isTolerant: isTolerant),
            at: 0,
            chunkLength: length)
    }

    private func read(_ inflater: ImageDataInflater, _ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let most = count - bytes.count
            guard try inflater.readNext(atMost: most, { bytes += $0 }) > 0 else { break }
        }
        return bytes
    }

    /// Whole rows up to the end, or to a fault.
    private func rows(
        _ inflater: ImageDataInflater, of count: Int
    ) -> (bytes: [UInt8], fault: DecodingFault?) {
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count + 8)
        defer { buffer.deallocate() }
        var bytes: [UInt8] = []
        do throws(DecodingFault) {
            let room = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
            while let row = try inflater.next(room) {
                bytes += UnsafeBufferPointer(start: row, count: count)
            }
            return (bytes, nil)
        } catch {
            return (bytes, error)
        }
    }

    /// zlib's output for a stream, and true if the stream is complete.
    private func zlib(_ stream: [UInt8], room: Int) -> (bytes: [UInt8], isWhole: Bool) {
        var state = z_stream()
        inflateInit2_(&state, 15, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
        defer { inflateEnd(&state) }
        var input = stream
        var output = [UInt8](repeating: 0, count: room)
        let status = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                state.next_in = input.baseAddress
                state.avail_in = uInt(input.count)
                state.next_out = output.baseAddress
                state.avail_out = uInt(output.count)
                return inflate(&state, Z_NO_FLUSH)
            }
        }
        return (Array(output.prefix(Int(state.total_out))), status == Z_STREAM_END)
    }

    @Test(
        "Every strategy, level and flush of zlib's deflate",
        arguments: [Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED])
    func strategies(strategy: CInt) throws {
        for level in [0, 1, 6, 9] as [CInt] {
            for (memory, pieces) in [(1, 1), (9, 1), (8, 7)] as [(CInt, Int)] {
                let bytes = sample(60_000, seed: UInt64(level * 10 + memory))
                let stream = deflated(
                    bytes, level: level, memory: memory, strategy: strategy, pieces: pieces)
                let file = try TemporaryBytes(stream)
                let inflater = try inflater(file, stream.count, isTolerant: false)
                #expect(try read(inflater, bytes.count) == bytes)
                try inflater.finish(isStrict: true)
            }
        }
    }

    @Test("Empty streams, one byte, and lengths around the windows")
    func lengths() throws {
        for length in [0, 1, 2, 16_383, 16_384, 16_385, 32_768, 32_769, 49_152, 49_153] {
            let bytes = Array(sample(length, seed: 4).prefix(length))
            for level in [0, 6] as [CInt] {
                let stream = deflated(bytes, level: level)
                let file = try TemporaryBytes(stream)
                let inflater = try inflater(file, stream.count, isTolerant: false)
                #expect(try read(inflater, bytes.count) == bytes)
                try inflater.finish(isStrict: true)
            }
        }
    }

    @Test(
        "Rows of any length lie in the window or are copied, and the last one may be missing",
        arguments: [1, 1000, 12_097, 16_384, 32_767, 32_768, 32_769, 50_000, 65_536, 70_000])
    func rows(of length: Int) throws {
        let bytes = sample(500_000, seed: UInt64(length))
        for (level, pieces) in [(0, 1), (1, 40), (6, 3)] as [(CInt, Int)] {
            let stream = deflated(bytes, level: level, pieces: pieces)
            let file = try TemporaryBytes(stream)
            let whole = bytes.prefix(bytes.count / length * length)
            for isTolerant in [false, true] {
                let found = rows(
                    try inflater(file, stream.count, isTolerant: isTolerant), of: length)
                #expect(found.bytes == Array(whole))
                #expect((found.fault == nil) == isTolerant)
            }
        }
    }

    @Test("A copy and its original continue independently")
    func copies() throws {
        let bytes = sample(200_000, seed: 11)
        var random = SplitMix64(seed: 12)
        for (level, pieces) in [(0, 1), (1, 1), (6, 3), (9, 1)] as [(CInt, Int)] {
            let stream = deflated(bytes, level: level, pieces: pieces)
            let file = try TemporaryBytes(stream)
            let inflater = try inflater(file, stream.count, isTolerant: false)
            var place = 0
            while place < bytes.count {
                let copy = try ImageDataInflater(copying: inflater)
                let count = min(bytes.count - place, Int(random.next() % 50_000))
                let expected = Array(bytes[place..<(place + count)])
                #expect(try read(copy, count) == expected)
                #expect(try read(inflater, count) == expected)
                place += count
            }
            try inflater.finish(isStrict: true)
        }
    }

    @Test("Damaged streams give zlib's output, and a fault where zlib fails")
    func damage() throws {
        var random = SplitMix64(seed: 77)
        for round in 0..<600 {
            let bytes = sample(200 + round * 3, seed: UInt64(round))
            var stream = deflated(
                bytes, level: [1, 6, 9][round % 3], memory: CInt(1 + round % 9),
                strategy: [Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE][round % 4])
            switch round % 5 {
            case 0: stream.removeLast(1 + Int(random.next() % UInt64(stream.count)))
            // The first bytes contain the codes.
            case 1, 2: stream[2 + Int(random.next() % 60) % (stream.count - 2)] ^= 1 << 4
            default:
                let place = Int(random.next() % UInt64(stream.count))
                stream[place] ^= UInt8(1 << (random.next() % 8))
            }
            let reference = zlib(stream, room: 1 << 20)
            let file = try TemporaryBytes(stream)
            let strict = try inflater(file, stream.count, isTolerant: false)
            if reference.isWhole {
                #expect(try read(strict, reference.bytes.count) == reference.bytes)
                try strict.finish(isStrict: true)
            } else {
                #expect(throws: DecodingFault.self, "round \(round)") {
                    _ = try read(strict, reference.bytes.count)
                    try strict.finish(isStrict: true)
                }
            }
            let tolerant = try read(try inflater(file, stream.count, isTolerant: true), 1 << 20)
            #expect(tolerant == reference.bytes, "round \(round)")
        }
    }
}
