/// Builds files from numbers and text.
extension [UInt8] {
    package static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

    package static func big16(_ value: Int) -> [UInt8] { number(value, 2).reversed() }
    package static func big32(_ value: Int) -> [UInt8] { number(value, 4).reversed() }
    package static func big64(_ value: Int) -> [UInt8] { number(value, 8).reversed() }
    package static func little16(_ value: Int) -> [UInt8] { number(value, 2) }
    package static func little24(_ value: Int) -> [UInt8] { number(value, 3) }
    package static func little32(_ value: Int) -> [UInt8] { number(value, 4) }
    package static func little64(_ value: Int) -> [UInt8] { number(value, 8) }

    package static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
