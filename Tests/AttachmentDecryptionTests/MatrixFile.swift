/// `EncryptedFile` objects of Matrix.
enum MatrixFile {
    static func object(
        k: String = "__________________________________________8",
        iv: String = "//////////8AAAAAAAAAAA",
        sha256: String = "YzF08lARDdOCzJpzuSwsjTNlQc4pHxpdHcXiD/wpK6k"
    ) -> [String: Any] {
        [
            "v": "v2", "url": "mxc://example.org/abc", "iv": iv, "hashes": ["sha256": sha256],
            "key": [
                "kty": "oct", "alg": "A256CTR", "ext": true, "key_ops": ["encrypt", "decrypt"],
                "k": k,
            ] as [String: Any],
        ]
    }
}
