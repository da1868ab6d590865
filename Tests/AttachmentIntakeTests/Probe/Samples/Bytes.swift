/// Numbers and texts as the bytes of a file.
extension [UInt8] {
    static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func big16(_ value: Int) -> [UInt8] { number(value, 2).reversed() }
    static func big32(_ value: Int) -> [UInt8] { number(value, 4).reversed() }
    static func big64(_ value: Int) -> [UInt8] { number(value, 8).reversed() }
    static func little16(_ value: Int) -> [UInt8] { number(value, 2) }
    static func little24(_ value: Int) -> [UInt8] { number(value, 3) }
    static func little32(_ value: Int) -> [UInt8] { number(value, 4) }
    static func little64(_ value: Int) -> [UInt8] { number(value, 8) }

    static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
