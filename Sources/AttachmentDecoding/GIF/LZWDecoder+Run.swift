extension LZWDecoder {
    /// What a table says of a string beside its last bytes.
    struct Link {
        /// From the lowest bit: twelve bits of the code of all but the last one to eight bytes,
        /// twelve of the length less one, eight of the first byte.
        private var bits: UInt32

        /// Describes a string of one byte.
        ///
        /// - Parameter first: The byte.
        init(first: UInt8) { bits = UInt32(first) << 24 }

        /// Describes a string that is one byte longer than another.
        ///
        /// - Parameters:
        ///   - other: What the table says of the other one; its length is below 4096.
        ///   - code: The other one's code.
        @inline(__always)
        init(extending other: Link, code: Int) {
            let length = other.length
            let prefix = length & 7 == 0 ? UInt32(truncatingIfNeeded: code) : other.bits & 0xFFF
            bits = prefix | UInt32(truncatingIfNeeded: length) << 12 | other.bits & 0xFF00_0000
        }

        /// The code of the string before the last one to eight bytes; only with more than eight.
        @inline(__always) var prefix: Int { Int(bits & 0xFFF) }
        /// In bytes, 1 to 4096.
        @inline(__always) var length: Int { Int(bits >> 12 & 0xFFF) &+ 1 }
        /// The first byte.
        @inline(__always) var first: UInt8 { UInt8(truncatingIfNeeded: bits >> 24) }
    }

    /// Where decoding stands between two codes.
    struct State {
        /// The code that empties the table; the next one ends the data.
        let clearCode: Int
        /// Bits of a code now.
        var codeSize: Int
        /// The size of the table at which codes grow; beyond any size once they may not.
        var growth: Int
        /// The code that the next string gets.
        ///
        /// After a clear code it is the end code, whose entry nobody reads: the first code then
        /// needs no case of its own, and being above it is illegal, as it should be.
        var next: Int
        /// The code before, and what the table says of it.
        var previous = 0
        var previousLink = Link(first: 0)
        var previousSuffix: UInt64 = 0
        /// Bits of the input that are done with.
        var bitPosition = 0
        /// Bytes of the input.
        var byteCount = 0

        /// Makes the state before the first code.
        ///
        /// - Parameter minimumCodeSize: Bits of an index, 0 to 11.
        init(minimumCodeSize: Int) {
            clearCode = 1 << minimumCodeSize
            (codeSize, growth, next) = (0, 0, 0)
            clear()
        }

        /// Empties the table.
        @inline(__always)
        mutating func clear() {
            codeSize = clearCode.trailingZeroBitCount &+ 1
            // With indices of one bit, which the specification forbids, the table is larger than
            // its codes reach from the beginning; libnsgif never lets them grow then.
            growth = clearCode < 4 || codeSize == 12 ? .max : 1 << codeSize
            next = clearCode &+ 1
            previousLink = Link(first: 0)
            previousSuffix = 0
        }
    }

    /// What a run paused for.
    enum Pause {
        case full, needsInput, endCode, illegalCode
    }

    /// Decodes codes from the input alone.
    ///
    /// Every access is within bounds: a code has twelve bits and so has a prefix, of 4096 entries;
    /// `next` is compared; eight bytes are loaded where a bit of the input is left, after which there
    /// are eight bytes more; a string begins before `enough`, after which there is room for the
    /// longest one and its overrun, and a step writes eight bytes from a place within the string.
    ///
    /// - Parameters:
    ///   - state: Where decoding stands.
    ///   - suffixes: The last one to eight bytes of strings, first byte lowest.
    ///   - links: The rest of the table.
    ///   - input: Data of `state.byteCount` bytes, and eight more.
    ///   - output: Room for `enough`, the longest string and its overrun.
    ///   - count: Where the next string begins in the room.
    ///   - enough: No string begins at this place or beyond.
    /// - Returns: What it paused for.
    static func run(
        _ state: inout State, suffixes: UnsafeMutablePointer<UInt64>,
        links: UnsafeMutablePointer<Link>, input: UnsafeMutablePointer<UInt8>,
        output: UnsafeMutablePointer<UInt8>, count: inout Int, enough: Int
    ) -> Pause {
        var now = state
        var end = count
        let bitEnd = now.byteCount &<< 3
        let input = UnsafeRawPointer(input)
        let output = UnsafeMutableRawPointer(output)
        var pause = Pause.full
        var mask = 1 &<< now.codeSize &- 1
        while end < enough {
            guard now.bitPosition &+ now.codeSize <= bitEnd else {
                pause = .needsInput
                break
            }
            let word = input.loadUnaligned(
                fromByteOffset: now.bitPosition &>> 3, as: UInt64.self)
            let code =
                Int(truncatingIfNeeded: UInt64(littleEndian: word) &>> UInt64(now.bitPosition & 7))
                & mask
            now.bitPosition &+= now.codeSize
            guard UInt(bitPattern: code &- now.clearCode) > 1 else {
                if code == now.clearCode {
                    now.clear()
                    mask = 1 &<< now.codeSize &- 1
                    continue
                }
                pause = .endCode
                break
            }
            guard code <= now.next else {
                pause = .illegalCode
                break
            }
            if now.next < tableSize {
                // The new string is the one before and the first byte of this one, which may be the
                // new string itself: so its link, which has the first byte, is written before.
                links[now.next] = Link(extending: now.previousLink, code: now.previous)
                let slot = now.previousLink.length & 7
                let last = UInt64(links[code].first) &<< UInt64(slot &<< 3)
                suffixes[now.next] = slot == 0 ? last : now.previousSuffix | last
                now.next &+= 1
                if now.next == now.growth {
                    now.codeSize &+= 1
                    now.growth = now.codeSize == 12 ? .max : 1 &<< now.codeSize
                    mask = 1 &<< now.codeSize &- 1
                }
            }
            let link = links[code]
            let suffix = suffixes[code]
            let length = link.length
            var left = (length &- 1) & ~7
            output.storeBytes(
                of: suffix.littleEndian, toByteOffset: end &+ left, as: UInt64.self)
            var prefix = link.prefix
            while left > 0 {
                left &-= 8
                output.storeBytes(
                    of: suffixes[prefix].littleEndian, toByteOffset: end &+ left, as: UInt64.self)
                prefix = links[prefix].prefix
            }
            end &+= length
            (now.previous, now.previousLink, now.previousSuffix) = (code, link, suffix)
        }
        state = now
        count = end
        return pause
    }
}
