/// What the values of red, blue and alpha of coded pixels are known to be.
struct LiteralChannels {
    /// A channel that has the same value in all pixels, or has not.
    enum Channel {
        /// No code was seen yet.
        case unknown
        /// Every code has this value alone.
        case constant(Int)
        /// There are several values.
        case varying

        /// Takes another code into account.
        ///
        /// - Parameter value: The only value of the code; nil when it has several.
        mutating func add(_ value: Int?) {
            guard let value else { return self = .varying }
            switch self {
            case .unknown: self = .constant(value)
            case .constant(value), .varying: break
            case .constant: self = .varying
            }
        }

        /// The value; nil when there are several.
        var value: UInt32? {
            if case .constant(let value) = self { UInt32(truncatingIfNeeded: value) } else { nil }
        }
    }

    /// Red.
    var red = Channel.unknown
    /// Blue.
    var blue = Channel.unknown
    /// Alpha.
    var alpha = Channel.unknown

    /// Takes another group into account.
    ///
    /// - Parameters:
    ///   - codes: The group.
    ///   - pool: Where its tables are.
    mutating func add(_ codes: PrefixCodeGroup, _ pool: PrefixCodePool) {
        red.add(pool.onlySymbol(of: codes.red))
        blue.add(pool.onlySymbol(of: codes.blue))
        alpha.add(pool.onlySymbol(of: codes.alpha))
    }
}
