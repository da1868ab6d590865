/// First bytes of a file, one character per byte; `?` matches any byte.
package struct BytePattern: Sendable, Hashable, ExpressibleByStringLiteral {
    private let scalars: [Unicode.Scalar]

    package init(stringLiteral text: String) { scalars = Array(text.unicodeScalars) }

    package func matches(_ bytes: [UInt8]) -> Bool {
        bytes.count >= scalars.count
            && zip(bytes, scalars).allSatisfy { $1 == "?" || UInt32($0) == $1.value }
    }
}
