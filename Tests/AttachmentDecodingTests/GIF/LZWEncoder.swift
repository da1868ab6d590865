/// Encodes indices as GIF does (GIF89a, appendix F), with every liberty that encoders take.
struct LZWEncoder {
    /// What is done once the table is full.
    enum Clearing {
        /// The table is emptied at once.
        case whenFull
        /// The table stays as it is.
        case deferred
        /// The table is emptied after so many strings, full or not.
        case every(Int)
    }

    var minimumCodeSize: Int
    var clearing = Clearing.whenFull
    /// Whether the data begin with a clear code, as they should.
    var clearsFirst = true
    var hasEndCode = true

    private var bytes: [UInt8] = []
    private var pending: UInt32 = 0
    private var pendingBits = 0
    private var codeSize = 0
    private var next = 0
    private var codes: [Int: Int] = [:]

    init(minimumCodeSize: Int) { self.minimumCodeSize = minimumCodeSize }

    /// Gives the data without the lengths of sub-blocks.
    mutating func encode(_ indices: [UInt8]) -> [UInt8] {
        let clear = 1 << minimumCodeSize
        empty()
        if clearsFirst { put(clear) }
        var strings = 0
        var current: Int?
        for index in indices {
            guard let prefix = current else {
                current = Int(index)
                continue
            }
            let key = prefix << 8 | Int(index)
            if let code = codes[key] {
                current = code
                continue
            }
            put(prefix)
            strings += 1
            add(key)
            current = Int(index)
            if case .every(let count) = clearing, strings % count == 0 {
                put(clear)
                empty()
            } else if case .whenFull = clearing, next == 4096 {
                put(clear)
                empty()
            }
        }
        if let current {
            put(current)
            add(nil)
        }
        if hasEndCode { put(clear + 1) }
        if pendingBits > 0 { bytes.append(UInt8(truncatingIfNeeded: pending)) }
        return bytes
    }

    /// Writes the codes that it is given and nothing else, with a size that stays.
    static func codes(_ codes: [Int], size: Int) -> [UInt8] {
        var encoder = LZWEncoder(minimumCodeSize: size - 1)
        encoder.codeSize = size
        for code in codes { encoder.put(code) }
        if encoder.pendingBits > 0 {
            encoder.bytes.append(UInt8(truncatingIfNeeded: encoder.pending))
        }
        return encoder.bytes
    }

    private mutating func empty() {
        codeSize = minimumCodeSize + 1
        next = (1 << minimumCodeSize) + 2
        codes = [:]
    }

    /// Gives the next code to a string; readers give one after the last string too.
    private mutating func add(_ key: Int?) {
        guard next < 4096 else { return }
        if let key { codes[key] = next }
        next += 1
        // Readers are one string behind, so codes grow once the first that needs it is given.
        if next > 1 << codeSize, codeSize < 12 { codeSize += 1 }
    }

    private mutating func put(_ code: Int) {
        pending |= UInt32(code) << UInt32(pendingBits)
        pendingBits += codeSize
        while pendingBits >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            pendingBits -= 8
        }
    }
}
