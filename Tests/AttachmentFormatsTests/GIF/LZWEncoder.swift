/// GIF encoder for indices (GIF89a, appendix F), with the choices that encoders make.
struct LZWEncoder {
    /// Handling of a full table.
    enum Clearing {
        /// The table is cleared at once.
        case whenFull
        /// The table is kept.
        case deferred
        /// The table is cleared after this many strings, full or not.
        case every(Int)
    }

    var minimumCodeSize: Int
    var clearing = Clearing.whenFull
    /// True if the data start with a clear code.
    var clearsFirst = true
    var hasEndCode = true

    private var bits = BitWriter()
    private var codeSize = 0
    private var next = 0
    private var codes: [Int: Int] = [:]

    init(minimumCodeSize: Int) { self.minimumCodeSize = minimumCodeSize }

    /// Returns the data without sub-block lengths.
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
        return bits.finished()
    }

    /// Writes these codes only, all of one size.
    static func codes(_ codes: [Int], size: Int) -> [UInt8] {
        var encoder = LZWEncoder(minimumCodeSize: size - 1)
        encoder.codeSize = size
        for code in codes { encoder.put(code) }
        return encoder.bits.finished()
    }

    private mutating func empty() {
        codeSize = minimumCodeSize + 1
        next = (1 << minimumCodeSize) + 2
        codes = [:]
    }

    /// Assigns the next code to a string; readers assign one after the last string too.
    private mutating func add(_ key: Int?) {
        guard next < 4096 else { return }
        if let key { codes[key] = next }
        next += 1
        // Readers are one string behind, so codes grow one string later.
        if next > 1 << codeSize, codeSize < 12 { codeSize += 1 }
    }

    private mutating func put(_ code: Int) { bits.put(code, codeSize) }
}
