extension LZWDecoder {
    /// Table entry of a string, apart from its last bytes.
    struct Link {
        /// From the lowest bit: 8 bits for the first byte, 12 for the prefix code (all but the last one
        /// to eight bytes), 12 for the length less one.
        private var bits: UInt32

        init(first: UInt8) { bits = UInt32(first) }

        /// Makes it the link of a string one byte longer, whose last bytes begin anew after eight.
        @inline(__always)
        mutating func extend() { bits &+= 1 &<< 20 }

        @inline(__always)
        mutating func setPrefix(_ code: Int) {
            bits = bits & 0xFFF0_00FF | UInt32(truncatingIfNeeded: code) &<< 8
        }

        /// Code of the string before the last one to eight bytes; meaningful above eight bytes
        /// only.
        @inline(__always) var prefix: Int { Int(bits &>> 8 & 0xFFF) }
        /// In bytes, 1 to 4096.
        @inline(__always) var length: Int { Int(bits &>> 20) &+ 1 }
        @inline(__always) var first: UInt8 { UInt8(truncatingIfNeeded: bits) }
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
        var bitPosition = state.bitPosition
        var next = state.next
        var (previous, previousLink) = (state.previous, state.previousLink)
        var previousSuffix = state.previousSuffix
        let clearCode = state.clearCode
        var end = count
        let bitEnd = state.byteCount &<< 3
        let input = UnsafeRawPointer(input)
        let output = UnsafeMutableRawPointer(output)
        var pause = Pause.full
        codes: while end < limit {
            // Codes of this size that the input holds, up to the one after which codes grow.
            let codeSize = state.codeSize
            var left = (bitEnd &- bitPosition) / codeSize
            guard left > 0 else {
                pause = .needsInput
                break
            }
            let isFull = next == tableSize
            if !isFull { left = min(left, min(state.growth, tableSize) &- next) }
            let mask = 1 &<< codeSize &- 1
            let bitLimit = bitPosition &+ left &* codeSize
            while bitPosition < bitLimit, end < limit {
                let word = input.loadUnaligned(fromByteOffset: bitPosition &>> 3, as: UInt64.self)
                let code =
                    Int(truncatingIfNeeded: UInt64(littleEndian: word) &>> UInt64(bitPosition & 7))
                    & mask
                bitPosition &+= codeSize
                guard UInt(bitPattern: code &- clearCode) > 1 else {
                    if code == clearCode {
                        state.clear()
                        next = state.next
                        previousLink = state.previousLink
                        previousSuffix = state.previousSuffix
                        continue codes
                    }
                    pause = .endCode
                    break codes
                }
                if !isFull {
                    guard code <= next else {
                        pause = .illegalCode
                        break codes
                    }
                    // The new string is the previous one and the first byte of this one, which may be
                    // the new string itself. Its link holds that byte and is therefore written first.
                    let length = previousLink.length
                    if length & 7 == 0 {
                        previousLink.setPrefix(previous)
                        previousSuffix = 0
                    }
                    previousLink.extend()
                    links[next] = previousLink
                    // The shift is modulo 64.
                    suffixes[next] =
                        previousSuffix | UInt64(links[code].first) &<< UInt64(length &<< 3)
                    next &+= 1
                }
                let link = links[code]
                let suffix = suffixes[code]
                let length = link.length
                if length <= 8 {
                    output.storeBytes(of: suffix.littleEndian, toByteOffset: end, as: UInt64.self)
                } else {
                    var before = (length &- 1) & ~7
                    output.storeBytes(
                        of: suffix.littleEndian, toByteOffset: end &+ before, as: UInt64.self)
                    var prefix = link.prefix
                    while before > 0 {
                        before &-= 8
                        output.storeBytes(
                            of: suffixes[prefix].littleEndian, toByteOffset: end &+ before,
                            as: UInt64.self)
                        prefix = links[prefix].prefix
                    }
                }
                end &+= length
                (previous, previousLink, previousSuffix) = (code, link, suffix)
            }
            if next == state.growth {
                state.codeSize &+= 1
                state.growth = state.codeSize == 12 ? .max : 1 &<< state.codeSize
            }
        }
        (state.bitPosition, state.next) = (bitPosition, next)
        (state.previous, state.previousLink) = (previous, previousLink)
        state.previousSuffix = previousSuffix
        count = end
        return pause
    }
}
