import CInflate
import CZlib
import Randomness
import Testing

/// Output of an inflater, and how the stream ended.
private struct Inflated: Equatable {
    enum End: Equatable {
        case complete
        case shortage
        case invalid(String)
    }

    var bytes: [UInt8] = []
    var end = End.shortage
}

@Suite("Inflater beside zlib", .timeLimit(.minutes(1)))
struct InflaterTests {
    @Test("Mutated streams give zlib's bytes and faults", arguments: 0..<40)
    func mutations(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        for _ in 0..<50 {
            var stream = deflated(sample(&random), &random)
            switch random.next() % 4 {
            case 0: stream.removeLast(Int(random.next() % UInt64(stream.count)))
            case 1: stream += (0..<9).map { _ in UInt8(random.next() & 0xFF) }
            default:
                // The first bytes contain the codes.
                let range = UInt64(random.next() & 1 == 0 ? stream.count : min(stream.count, 90))
                for _ in 0..<(1 + random.next() % 3) {
                    stream[Int(random.next() % range)] ^= 1 << UInt8(random.next() % 8)
                }
            }
            let isChecked = random.next() & 1 == 0
            let expected = zlib(stream, isChecked: isChecked)
            let found = own(stream, isChecked: isChecked, &random)
            #expect(found == expected)
        }
    }

    /// Codes with rare, frequent and only matches are decoded by different loops.
    @Test(
        "Literals between short matches give zlib's bytes and faults",
        arguments: [0, 3, 8, 9, 25, 60, 100], [12, 16, 40])
    func shortMatches(percent: UInt64, longest: UInt64) {
        var random = SplitMix64(seed: 100 * percent + longest)
        var bytes = (0..<40).map { _ in UInt8(random.next() & 0xFF) }
        while bytes.count < 150_000 {
            guard random.next() % 100 < percent else {
                bytes.append(UInt8(random.next() & 0xFF))
                continue
            }
            let farthest = random.next() & 1 == 0 ? 30 : min(bytes.count, 33_000)
            let distance = 1 + Int(random.next() % UInt64(farthest))
            for _ in 0..<(3 + random.next() % (longest - 2)) {
                bytes.append(bytes[bytes.count - distance])
            }
        }
        for level: CInt in [1, 9] {
            var stream = deflated(bytes, level: level)
            #expect(own(stream, isChecked: true, &random) == .init(bytes: bytes, end: .complete))
            stream[Int(random.next() % UInt64(stream.count))] ^= 1 << UInt8(random.next() % 8)
            let expected = zlib(stream, isChecked: true)
            #expect(own(stream, isChecked: true, &random) == expected)
        }
    }

    @Test("Blocks of random codes give zlib's bytes and faults", arguments: 0..<40)
    func codes(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        for block in 0..<25 {
            var stream = DynamicBlocks(seed: 1000 * seed + block).bytes
            if random.next() & 1 == 0 {
                let place = Int(random.next() % UInt64(stream.count))
                stream[place] ^= 1 << UInt8(random.next() % 8)
            }
            let expected = zlib(stream, isChecked: true)
            #expect(own(stream, isChecked: true, &random) == expected)
        }
    }

    @Test("Pieces of any length, and room for one byte")
    func pieces() {
        var random = SplitMix64(seed: 5)
        let bytes = sample(&random)
        let stream = deflated(bytes, &random)
        for length in [1, 2, 3, 7, 64, stream.count] {
            for room in [1, 5, 300, bytes.count + 1] {
                let found = own(stream, isChecked: true, length: { length }, room: { room })
                #expect(found == Inflated(bytes: bytes, end: .complete))
            }
        }
    }

    @Test("Headers, blocks and codes that zlib refuses")
    func refusals() {
        let cases: [(stream: [UInt8], fault: String)] = [
            ([0x78, 0x02], "incorrect header check"),
            ([0x77, 0x09], "unknown compression method"),
            ([0x88, 0x1C], "invalid window size"),
            ([0x78, 0xBB, 1, 2, 3, 4], "preset dictionary"),
            ([0x78, 0x9C, 0x07], "invalid block type"),
            ([0x78, 0x9C, 0x01, 1, 0, 0, 0], "invalid stored block lengths"),
            ([0x78, 0x9C, 0xFD, 0xFF, 0xFF], "too many length or distance symbols"),
            ([0x78, 0x9C, 0x05, 0, 0x10, 0, 0, 0, 0, 0, 0], "invalid code lengths set"),
            // No code at all reads as lengths of 0.
            (
                [0x78, 0x9C, 0x05] + [UInt8](repeating: 0, count: 40),
                "invalid code -- missing end-of-block"
            ),
            // Fixed codes: a match before any byte, and the symbols without a meaning.
            ([0x78, 0x9C] + fixed([(1, 7), (0, 5)]), "invalid distance too far back"),
            ([0x78, 0x9C] + fixed([(0b1100_0110, 8)]), "invalid literal/length code"),
            ([0x78, 0x9C] + fixed([(0x30, 8), (1, 7), (30, 5)]), "invalid distance code"),
        ]
        for (stream, fault) in cases {
            let expected = zlib(stream, isChecked: true)
            let found = own(stream, isChecked: true, length: { 1 }, room: { 9 })
            #expect(found == expected)
            #expect(expected.end == .invalid(fault), "\(stream)")
        }
    }

    @Test("A distance beyond the declared window is allowed, as in zlib")
    func smallWindow() {
        var random = SplitMix64(seed: 9)
        let bytes = (0..<3000).map { _ in UInt8(random.next() & 0xFF) }
        var stream = deflated(bytes + bytes, level: 9)
        // The header of a window of 256 bytes; the checksum of the header follows.
        (stream[0], stream[1]) = (0x08, 0x1D)
        let found = own(stream, isChecked: true, length: { 500 }, room: { 500 })
        #expect(found == Inflated(bytes: bytes + bytes, end: .complete))
    }

    @Test("Blocks without output end at their limit")
    func emptyBlocks() {
        for (blocks, isLimited) in [(20, false), (21, true)] {
            // Stored blocks of no bytes, of which none is the last one.
            var stream: [UInt8] = [0x78, 0x9C]
            for _ in 0..<blocks { stream += [0, 0, 0, 0xFF, 0xFF] }
            let inflater = thimble_inflater_new(true, 20)
            defer { thimble_inflater_free(inflater) }
            _ = thimble_inflate(inflater, stream, stream.count)
            let status = thimble_inflater_status(inflater)
            #expect(status == (isLimited ? THIMBLE_INFLATE_EMPTY_BLOCKS : THIMBLE_INFLATE_OK))
        }
    }

    @Test("The checksum is zlib's at any length")
    func checksums() {
        var random = SplitMix64(seed: 3)
        let noise = (0..<9000).map { _ in UInt8(random.next() & 0xFF) }
        for bytes in [noise, [UInt8](repeating: 0xFF, count: 9000)] {
            for length in Array(0..<70) + [351, 352, 353, 5552, 9000] {
                let expected = adler32(uLong(0xFFF0_FFF0), bytes, uInt(length))
                #expect(thimble_adler32(0xFFF0_FFF0, bytes, length) == UInt32(expected))
            }
        }
    }

    @Test("CRC-32 equals zlib's for every length of a vector's tail")
    func crc() {
        var random = SplitMix64(seed: 11)
        let bytes = (0..<4100).map { _ in UInt8(random.next() & 0xFF) }
        for sum: UInt32 in [0, 1, .max, 0x1234_5678] {
            for length in Array(0..<150) + [4095, 4096, 4097] {
                let expected = crc32(uLong(sum), bytes, uInt(length))
                #expect(thimble_crc32(sum, bytes, length) == UInt32(expected))
            }
        }
    }

    /// Bytes of the codes after the head of a last block with fixed codes; the highest bit of a code
    /// is first (RFC 1951, 3.1.1).
    private func fixed(_ codes: [(code: Int, bits: Int)]) -> [UInt8] {
        var bits = [1, 1, 0]
        for (code, count) in codes {
            for bit in 0..<count { bits.append(code >> (count - 1 - bit) & 1) }
        }
        return stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start...].prefix(8).reversed().reduce(0) { $0 << 1 | UInt8($1) }
        }
    }

    /// Runs, few values and distant repeats.
    private func sample(_ random: inout SplitMix64) -> [UInt8] {
        let length = Int(random.next() % (random.next() % 20 == 0 ? 150_000 : 4000))
        var bytes: [UInt8] = []
        while bytes.count < length {
            let count = 1 + Int(random.next() % 300)
            let distance = 1 + Int(random.next() % (random.next() & 1 == 0 ? 12 : 40_000))
            let kind = random.next() % 4
            for _ in 0..<count {
                if kind > 1, distance <= bytes.count {
                    bytes.append(bytes[bytes.count - distance])
                } else {
                    bytes.append(UInt8(random.next() & (kind == 0 ? 0xFF : 3)))
                }
            }
        }
        return bytes
    }

    private func deflated(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        let strategies = [Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED]
        return deflated(
            bytes, level: CInt(random.next() % 10), memory: 1 + CInt(random.next() % 9),
            strategy: strategies[Int(random.next() % 5)])
    }

    private func deflated(
        _ bytes: [UInt8], level: CInt, memory: CInt = 8, strategy: CInt = Z_DEFAULT_STRATEGY
    ) -> [UInt8] {
        var (stream, input) = (z_stream(), bytes)
        deflateInit2_(
            &stream, level, Z_DEFLATED, 15, memory, strategy, ZLIB_VERSION,
            CInt(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var output = [UInt8](repeating: 0, count: bytes.count * 2 + 1000)
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, uInt(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, uInt(output.count))
                deflate(&stream, Z_FINISH)
                return Int(stream.total_out)
            }
        }
        return Array(output.prefix(count))
    }

    private func zlib(_ stream: [UInt8], isChecked: Bool) -> Inflated {
        var (state, input, result) = (z_stream(), stream, Inflated())
        inflateInit2_(&state, 15, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
        defer { inflateEnd(&state) }
        inflateValidate(&state, isChecked ? 1 : 0)
        var output = [UInt8](repeating: 0, count: 1 << 20)
        input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                (state.next_in, state.avail_in) = (input.baseAddress, uInt(input.count))
                (state.next_out, state.avail_out) = (output.baseAddress, uInt(output.count))
                switch inflate(&state, Z_SYNC_FLUSH) {
                case Z_STREAM_END: result.end = .complete
                case Z_NEED_DICT: result.end = .invalid("preset dictionary")
                case Z_DATA_ERROR: result.end = .invalid(String(cString: state.msg))
                default: result.end = .shortage
                }
            }
        }
        result.bytes = Array(output.prefix(Int(state.total_out)))
        return result
    }

    private func own(
        _ stream: [UInt8], isChecked: Bool, _ random: inout SplitMix64
    ) -> Inflated {
        var (lengths, rooms) = (random, random)
        let most = [40, 3000, 1 << 20][Int(random.next() % 3)]
        return own(
            stream, isChecked: isChecked, length: { 1 + Int(lengths.next() % UInt64(most)) },
            room: { 1 + Int(rooms.next() % 50_000) })
    }

    /// Inflates from pieces of exact length, so that the sanitizer notices any byte beyond.
    private func own(
        _ stream: [UInt8], isChecked: Bool, length: () -> Int, room: () -> Int
    ) -> Inflated {
        let inflater = thimble_inflater_new(isChecked, 1 << 16)
        defer { thimble_inflater_free(inflater) }
        var (rest, result) = (stream[...], Inflated())
        while thimble_inflater_status(inflater) == THIMBLE_INFLATE_OK {
            let piece = Array(rest.prefix(length()))
            let used = thimble_inflate(inflater, piece, piece.count)
            rest = rest.dropFirst(used)
            var output = [UInt8](repeating: 0, count: room())
            let taken = thimble_inflater_take(inflater, &output, output.count)
            result.bytes += output.prefix(taken)
            // The end may need room alone, if its bytes have been read before.
            if used == 0, taken == 0, rest.isEmpty,
                thimble_inflater_status(inflater) == THIMBLE_INFLATE_OK
            {
                return result
            }
        }
        switch thimble_inflater_status(inflater) {
        case THIMBLE_INFLATE_END: result.end = .complete
        default: result.end = .invalid(String(cString: thimble_inflater_message(inflater)))
        }
        return result
    }
}
