extension LZWDecoder {
    /// Table entry of a string, apart from its last bytes.
    struct Link {
        /// From the lowest bit: 12 bits for the prefix code (all but the last one to eight bytes),
        /// 12 for the length less one, 8 for the first byte.
        private var bits: UInt32

        init(first: UInt8) { bits = UInt32(first) << 24 }

        /// A string one byte longer than `other`, whose length is below 4096.
        @inline(__always)
        init(extending other: Link, code: Int) {
            let length = other.length
            let prefix = length & 7 == 0 ? UInt32(truncatingIfNeeded: code) : other.bits & 0xFFF
            bits = prefix | UInt32(truncatingIfNeeded: length) << 12 | other.bits & 0xFF00_0000
        }

        /// Code of the string before the last one to eight bytes; meaningful above eight bytes
        /// only.
        @inline(__always) var prefix: Int { Int(bits & 0xFFF) }
        /// In bytes, 1 to 4096.
        @inline(__always) var length: Int { Int(bits >> 12 & 0xFFF) &+ 1 }
        @inline(__always) var first: UInt8 { UInt8(truncatingIfNeeded: bits >> 24) }
    }

    struct State {
        /// Code that clears the table; the next one is the end code.
        let clearCode: Int
        var codeSize: Int
        /// Table size at which codes grow; `Int.max` once they cannot.
        var growth: Int
        /// Code of the next string.
        ///
        /// After a clear code it is the end code, whose entry is never read. The first code then
        /// needs no special case, and any code above it is illegal.
        var next: Int
        var previous = 0
        var previousLink = Link(first: 0)
        var previousSuffix: UInt64 = 0
        /// Bits of the input already decoded.
        var bitPosition = 0
        var byteCount = 0

        init(minimumCodeSize: Int) {
            clearCode = 1 << minimumCodeSize
            (codeSize, growth, next) = (0, 0, 0)
            clear()
        }

        @inline(__always)
        mutating func clear() {
            codeSize = clearCode.trailingZeroBitCount &+ 1
            // With 1-bit indices, which the specification forbids, the initial table exceeds what
            // its codes reach. libnsgif then never grows them.
            growth = clearCode < 4 || codeSize == 12 ? .max : 1 << codeSize
            next = clearCode &+ 1
            previousLink = Link(first: 0)
            previousSuffix = 0
        }
    }

    enum Pause {
        case full, needsInput, endCode, illegalCode
    }

    /// Decodes codes from the buffered input.
    ///
    /// `input` holds `state.byteCount` bytes and eight more. `output` has room for `limit`, the
    /// longest string and its overrun; the next string starts at `count`, and none starts at
    /// `limit` or beyond.
    ///
    /// Every access is in bounds. Codes and prefixes have 12 bits, of 4096 entries; `next` is
    /// compared. Eight bytes are loaded only where a bit of input is left, followed by eight spare
    /// bytes. A string starts before `limit`, followed by room for the longest string, and each
    /// step writes eight bytes from a position within the string.
    static func run(
        _ state: inout State, suffixes: UnsafeMutablePointer<UInt64>,
        links: UnsafeMutablePointer<Link>, input: UnsafeMutablePointer<UInt8>,
        output: UnsafeMutablePointer<UInt8>, count: inout Int, limit: Int
    ) -> Pause {
        var now = state
        var end = count
        let bitEnd = now.byteCount &<< 3
        let input = UnsafeRawPointer(input)
        let output = UnsafeMutableRawPointer(output)
        var pause = Pause.full
        var mask = 1 &<< now.codeSize &- 1
        while end < limit {
            guard now.bitPosition &+ now.codeSize <= bitEnd else {
                pause = .needsInput
                break
            }
            let word = input.loadUnaligned(fromByteOffset: now.bitPosition &>> 3, as: UInt64.self)
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
                // The new string is the previous one and the first byte of this one, which may be
                // the new string itself. Its link holds that byte and is therefore written first.
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
            output.storeBytes(of: suffix.littleEndian, toByteOffset: end &+ left, as: UInt64.self)
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
