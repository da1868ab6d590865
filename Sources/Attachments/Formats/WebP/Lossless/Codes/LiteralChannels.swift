/// Knowledge about red, blue and alpha that follows from the codes of an image alone.
struct LiteralChannels {
    enum Channel {
        case unknown
        case constant(Int)
        case varying

        mutating func add(_ value: Int?) {
            guard let value else { return self = .varying }
            switch self {
            case .unknown: self = .constant(value)
            case .constant(value), .varying: break
            case .constant: self = .varying
            }
        }

        var value: UInt32? {
            if case .constant(let value) = self { UInt32(truncatingIfNeeded: value) } else { nil }
        }
    }

    var red = Channel.unknown
    var blue = Channel.unknown
    var alpha = Channel.unknown

    mutating func add(_ codes: PrefixCodeGroup, _ pool: PrefixCodePool) {
        red.add(pool.onlySymbol(of: codes.red))
        blue.add(pool.onlySymbol(of: codes.blue))
        alpha.add(pool.onlySymbol(of: codes.alpha))
    }
}
