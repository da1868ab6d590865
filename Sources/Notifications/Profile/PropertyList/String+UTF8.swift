extension String {
    /// Decodes UTF-8; nil if it is invalid.
    ///
    /// The standard library's `String(validating:as:)` requires iOS 18.
    package init?(utf8 bytes: some Collection<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        // Decoding replaces invalid bytes by U+FFFD.
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
