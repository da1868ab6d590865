import Foundation

/// All runs of 16 bytes of a text, to search files for.
struct PlaintextRuns {
    private let runs: Set<SIMD2<UInt64>>
    /// True for the first two bytes of a run; most bytes of a file begin none.
    private let starts: [Bool]

    /// Lists the runs at every offset of a text.
    init(of text: Data) {
        var (runs, starts) = (Set<SIMD2<UInt64>>(), [Bool](repeating: false, count: 1 << 16))
        text.withUnsafeBytes { bytes in
            var offset = 0
            while offset + 16 <= bytes.count {
                runs.insert(bytes.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self))
                starts[Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))] = true
                offset += 1
            }
        }
        (self.runs, self.starts) = (runs, starts)
    }

    /// True if a file has one of the runs, at any offset.
    func isFound(in file: Data) -> Bool {
        file.withUnsafeBytes { bytes in
            var offset = 0
            while offset + 16 <= bytes.count {
                if starts[Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))],
                    runs.contains(
                        bytes.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self))
                {
                    return true
                }
                offset += 1
            }
            return false
        }
    }
}
