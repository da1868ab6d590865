import AttachmentDecryption
import Foundation
import Testing

@Suite("Keys of Matrix", .timeLimit(.minutes(1)))
struct MatrixFileTests {
    private static func changed(_ change: (inout [String: Any]) -> Void) -> [String: Any] {
        var file = MatrixFile.object()
        change(&file)
        return file
    }

    private static func changedKey(_ name: String, _ value: Any?) -> [String: Any] {
        changed { file in
            var key = file["key"] as? [String: Any] ?? [:]
            key[name] = value
            file["key"] = key
        }
    }

    @Test("An object of the specification is accepted, with padding or without")
    func valid() throws {
        _ = try CounterDecryption(matrixFile: MatrixFile.object())
        _ = try CounterDecryption(
            matrixFile: MatrixFile.object(
                k: "__________________________________________8=",
                iv: "//////////8AAAAAAAAAAA=="))
    }

    @Test("A missing or invalid field is named, and no value appears in the error")
    func invalid() throws {
        let files: [(part: String, file: [String: Any])] = [
            ("version", Self.changed { $0["v"] = "v1" }),
            ("version", Self.changed { $0["v"] = nil }),
            ("JSON Web Key", Self.changed { $0["key"] = nil }),
            ("JSON Web Key", Self.changedKey("kty", "RSA")),
            ("JSON Web Key", Self.changedKey("alg", "A128CTR")),
            ("JSON Web Key", Self.changedKey("key_ops", ["encrypt"])),
            ("the key", Self.changedKey("k", nil)),
            ("the key", Self.changedKey("k", "secretsecret!")),
            ("the key", Self.changedKey("k", "AAAA")),
            ("initial counter", Self.changed { $0["iv"] = "AAAA" }),
            ("initial counter", Self.changed { $0["iv"] = 3 }),
            ("digest", Self.changed { $0["hashes"] = ["sha1": "AAAA"] }),
            ("digest", Self.changed { $0["hashes"] = ["sha256": "AAAA"] }),
        ]
        for (part, file) in files {
            let error = #expect(throws: DecryptionError.self) {
                try CounterDecryption(matrixFile: file)
            }
            #expect(error?.code == .invalidKey)
            #expect(error?.reason.contains(part) == true, "\(error?.reason ?? "")")
            #expect(error?.description.contains("secret") == false)
        }
    }
}
