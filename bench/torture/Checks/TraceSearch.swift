import Foundation

/// A search for runs of 16 bytes of plaintext, at any offset of a disk.
struct TraceSearch {
    private struct Run: Hashable {
        let first: UInt64
        let second: UInt64
    }

    static let runBytes = 16
    /// A run of few values, such as zeros or a table, tells nothing.
    private static let fewestValues = 8
    private static let blockBytes = 4096

    private var runs: Set<Run> = []
    /// A bit for each hash of a run's beginning, which spares most look-ups.
    private var filter = [Bool](repeating: false, count: 1 << 22)

    init(for plaintexts: [Data]) {
        for plaintext in plaintexts {
            let bytes = [UInt8](plaintext)
            guard bytes.count >= Self.runBytes else { continue }
            for start in 0...bytes.count - Self.runBytes {
                let part = bytes[start..<start + Self.runBytes]
                guard Set(part).count >= Self.fewestValues else { continue }
                let run = bytes.withUnsafeBytes { Self.run(in: $0, at: start) }
                runs.insert(run)
                filter[Self.bit(run.first)] = true
            }
        }
    }

    /// Number of offsets at which a run begins; blocks of zeros are skipped.
    func count(in disk: Data) -> Int {
        let zeros = [UInt8](repeating: 0, count: Self.blockBytes)
        return disk.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return 0 }
            var found = 0
            for block in stride(from: 0, to: bytes.count, by: Self.blockBytes) {
                let length = min(Self.blockBytes, bytes.count - block)
                if memcmp(base + block, zeros, length) == 0 { continue }
                let end = min(block + length, bytes.count - Self.runBytes + 1)
                for offset in block..<max(block, end) {
                    let first = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    guard filter[Self.bit(first)] else { continue }
                    if runs.contains(Self.run(in: bytes, at: offset)) { found += 1 }
                }
            }
            return found
        }
    }

    private static func run(in bytes: UnsafeRawBufferPointer, at offset: Int) -> Run {
        Run(
            first: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
            second: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
    }

    /// The upper bits of a product with the golden ratio (Knuth, 6.4).
    private static func bit(_ word: UInt64) -> Int { Int((word &* 0x9E37_79B9_7F4A_7C15) >> 42) }
}
