/// Reverses the prediction filter of an alpha plane (RFC 9649, section 2.7.1.2), row by row.
struct AlphaFilter {
    enum Method: Int {
        case none
        case horizontal
        case vertical
        /// Left + above − above left, clamped to 0–255.
        case gradient
    }

    private let method: Method
    private var above: [UInt8] = []

    init(_ method: Method) { self.method = method }

    mutating func undo(_ row: UnsafeMutableBufferPointer<UInt8>) {
        guard method != .none, let base = row.baseAddress else { return }
        let count = row.count
        if above.count == count {
            above.withUnsafeBufferPointer { above in
                base[0] &+= above[0]
                switch method {
                case .none: break
                case .horizontal: Self.addLeft(base, count)
                case .vertical: for x in 1..<max(1, count) { base[x] &+= above[x] }
                case .gradient: Self.addGradient(base, above, count)
                }
            }
        } else {
            // The first row has only left neighbours.
            Self.addLeft(base, count)
            above = [UInt8](repeating: 0, count: count)
        }
        above.withUnsafeMutableBufferPointer { above in
            above.baseAddress?.update(from: base, count: count)
        }
    }

    private static func addLeft(_ row: UnsafeMutablePointer<UInt8>, _ count: Int) {
        var left = row[0]
        for x in 1..<max(1, count) {
            left &+= row[x]
            row[x] = left
        }
    }

    private static func addGradient(
        _ row: UnsafeMutablePointer<UInt8>, _ above: UnsafeBufferPointer<UInt8>, _ count: Int
    ) {
        var (left, corner) = (Int(row[0]), Int(above[0]))
        for x in 1..<max(1, count) {
            let top = Int(above[x])
            let predicted = max(0, min(255, left &+ top &- corner))
            row[x] &+= UInt8(truncatingIfNeeded: predicted)
            (left, corner) = (Int(row[x]), top)
        }
    }
}
