import AttachmentDecryption
import AttachmentModel
import Foundation
import SampleCiphertexts
import Testing

@Suite("Known answers of ciphers", .timeLimit(.minutes(1)))
struct KnownAnswerTests {
    private let fixture: DecryptionFixture

    init() throws { fixture = try DecryptionFixture() }

    /// Key, initial counter, ciphertext and plaintext.
    private struct CounterVector {
        let name: String
        let key: String
        let counter: String
        let ciphertext: String
        let plaintext: String
    }

    private static let counterVectors = [
        CounterVector(
            name: "NIST SP 800-38A, F.5.5",
            key: "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
            counter: "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
            ciphertext: """
                601ec313775789a5b7a7f504bbf3d228 f443e3ca4d62b59aca84e990cacaf5c5
                2b0930daa23de94ce87017ba2d84988d dfc9c58db67aada613c2dd08457941a6
                """,
            plaintext: """
                6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51
                30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710
                """),
        CounterVector(
            name: "RFC 3686, test vector 3",
            key: "7691be035e5020a8ac6e618529f9a0dc",
            counter: "00e0017b27777f3f4a1786f000000001",
            ciphertext: """
                c1cf48a89f2ffdd9cf4652e9efdb72d7 4540a42bde6d7836d59a5ceaaef31053 25b2072f
                """,
            plaintext: """
                000102030405060708090a0b0c0d0e0f 101112131415161718191a1b1c1d1e1f 20212223
                """),
        CounterVector(
            name: "RFC 3686, test vector 7",
            key: "776beff2851db06f4c8a0542c8696f6c6a81af1eec96b4d37fc1d689e6c1c104",
            counter: "00000060db5672c97aa8f0b200000001",
            ciphertext: "145ad01dbf824ec7560863dc71e3e0c0",
            plaintext: "53696e676c6520626c6f636b206d7367"
        ),
    ]

    @Test("Counter mode gives the published plaintexts, at any offset")
    func counter() throws {
        for vector in Self.counterVectors {
            let (bytes, expected) = (Data(hex: vector.ciphertext), Data(hex: vector.plaintext))
            let decryption = try CounterDecryption(
                key: Data(hex: vector.key), counter: Data(hex: vector.counter),
                digest: SampleCiphertext.digest(of: bytes))
            let plaintext = try fixture.open(bytes, by: decryption, parts: [7])
            #expect(try plaintext.whole() == expected, "\(vector.name)")
            for offset in 0..<expected.count {
                #expect(
                    try plaintext.bytes(at: offset, count: 21)
                        == expected.dropFirst(offset).prefix(21), "\(vector.name) at \(offset)")
            }
        }
    }

    // matrix-encrypt-attachment and matrix-files-sdk publish these with their tests.
    @Test(
        "Attachments of Matrix give the published plaintexts",
        arguments: [
            (
                "5xJZTt5cQicm+9f4", "YzF08lARDdOCzJpzuSwsjTNlQc4pHxpdHcXiD/wpK6k", "Hello, World"
            ),
            (
                "zhtFStAeFx0s+9L/sSQO+WQMtldqYEHqTxMduJrCIpnkyer09kxJJuA4K+adQE4w+7jZe/vR9kIcqj9r"
                    + "OhDR8Q==",
                "IOq7/dHHB+mfHfxlRY5XMeCWEwTPmlf4cJcgrkf6fVU",
                "alphanumericallyalphanumericallyalphanumericallyalphanumerically"
            ),
        ])
    func matrix(ciphertext: String, digest: String, expected: String) throws {
        let decryption = try CounterDecryption(
            matrixFile: MatrixFile.object(
                k: "__________________________________________8", iv: "//////////8AAAAAAAAAAA",
                sha256: digest))
        let bytes = try #require(Data(base64Encoded: ciphertext))
        #expect(try fixture.open(bytes, by: decryption).whole() == Data(expected.utf8))
    }

    // openssl enc -aes-256-cbc -K 00…1f -iv 40…4f, and openssl dgst -sha256 -mac HMAC with key 20…3f.
    @Test("Chaining mode gives the plaintext that OpenSSL's command encrypted")
    func chained() throws {
        let bytes = Data(
            hex: """
                404142434445464748494a4b4c4d4e4f ef38086a9a54cd144b472dceba82aa3f
                1b221517691e8adbd8e535f7cc493f30 991c2e258c7385fa90854331ee113609
                b0719b3734846f392fc79d471874b56f
                """)
        let decryption = try ChainedDecryption(
            combinedKey: Data(0..<64),
            digest: Data(hex: "3b3498febdbb1bcc7e42ae4a96f5c5474cfc657ea953b63dabb43fa52b40c94a"))
        let plaintext = try fixture.open(bytes, by: decryption, parts: [1])
        #expect(try plaintext.whole() == Data("Attack at dawn, over the hills".utf8))
    }

    // NIST SP 800-38A, F.2.5, whose blocks have no padding: read before it.
    @Test("Chaining mode gives the published plaintext, at any offset")
    func chainedBlocks() throws {
        let expected = Data(
            hex: """
                6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51
                30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710
                """)
        let published = Data(
            hex: """
                000102030405060708090a0b0c0d0e0f f58c4c04d6e5f1ba779eabfb5f7bfbd6
                9cfc4e967edb808d679f777bc6702c7d 39f23369a9d9bacfa530e26304231461
                b2eb05e2c39be9fcda6c19078c6a9d1b
                """)
        let sample = SampleCiphertext.chained(
            expected,
            key: Data(hex: "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"),
            vector: Data(0..<16))
        // The published blocks, then one of padding.
        #expect(sample.bytes.prefix(published.count) == published)
        let plaintext = try fixture.open(sample.bytes, by: sample.decryption())
        for offset in 0..<expected.count {
            #expect(
                try plaintext.bytes(at: offset, count: 33)
                    == expected.dropFirst(offset).prefix(33), "at \(offset)")
        }
    }

    // McGrew and Viega, "The Galois/Counter Mode of Operation (GCM)", test case 16.
    @Test("GCM gives the published plaintext, and refuses another context")
    func galois() throws {
        let bytes = Data(
            hex: """
                522dc1f099567d07f47f37a32a84427d 643a8cdcbfe5c0c97598a2bd2555d1aa
                8cb08e48590dbb3da7b08b1056828838 c5f61e6393ba7a0abcc9f662
                76fc6ece0f4e1768cddf8853bb2d551b
                """)
        let (key, nonce) = (
            Data(hex: "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"),
            Data(hex: "cafebabefacedbaddecaf888")
        )
        let context = Data(hex: "feedfacedeadbeeffeedfacedeadbeefabaddad2")
        let plaintext = try fixture.open(
            bytes, by: GaloisDecryption(key: key, nonce: nonce, context: context), parts: [17])
        let expected = Data(
            hex: """
                d9313225f88406e5a55909c5aff5269a 86a7a9531534f7da2e4c303d8a318a72
                1c3c0c95956809532fcf0e2449a6b525 b16aedf5aa0de657ba637b39
                """)
        #expect(try plaintext.whole() == expected)
        let error = #expect(throws: DecryptionError.self) {
            try fixture.open(bytes, by: GaloisDecryption(key: key, nonce: nonce))
        }
        #expect(error?.code == .notAuthentic)
    }
}
