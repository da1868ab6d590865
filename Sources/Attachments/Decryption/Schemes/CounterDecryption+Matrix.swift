import Foundation

extension CounterDecryption {
    /// Creates a decryption from the `file` object of an event (Matrix Client-Server API, "Sending
    /// encrypted attachments", `EncryptedFile` of version `v2`).
    ///
    /// - Parameter matrixFile: The object: `v`, `key` with a JSON Web Key, `iv`, and `hashes` with
    ///   `sha256`. Its `url` is for the app, which turns `mxc:` into a request.
    /// - Throws: `DecryptionError` with the code `invalidKey` naming the first field at fault.
    public init(matrixFile: [String: Any]) throws(DecryptionError) {
        guard matrixFile["v"] as? String == "v2" else {
            throw DecryptionError(
                .invalidKey, reason: "the version of the encrypted file is not v2")
        }
        guard let key = matrixFile["key"] as? [String: Any], key["kty"] as? String == "oct",
            key["alg"] as? String == "A256CTR",
            (key["key_ops"] as? [String])?.contains("decrypt") == true
        else {
            throw DecryptionError(
                .invalidKey, reason: "the key is not a JSON Web Key for A256CTR that may decrypt")
        }
        let secret = try Data(unpadded: key["k"], "the key", isForURLs: true)
        guard secret.count == 32 else { throw .isOfWrongLength("the key", "32") }
        let vector = try Data(unpadded: matrixFile["iv"], "the initial counter", isForURLs: false)
        let hashes = matrixFile["hashes"] as? [String: Any]
        try self.init(
            key: secret, counter: vector,
            digest: try Data(unpadded: hashes?["sha256"], "the digest", isForURLs: false))
    }
}

extension Data {
    /// Decodes Base64 (RFC 4648, sections 4 and 5), whose padding may be missing.
    fileprivate init(
        unpadded value: Any?, _ what: String, isForURLs: Bool
    ) throws(DecryptionError) {
        guard var text = value as? String else {
            throw DecryptionError(.invalidKey, reason: "\(what) is missing")
        }
        if isForURLs {
            text = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        }
        text = String(text.prefix { $0 != "=" })
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: text) else {
            throw DecryptionError(.invalidKey, reason: "\(what) is not in Base64")
        }
        self = data
    }
}
