import AttachmentContainer
import AttachmentDecryption
import AttachmentModel
import Foundation
import Randomness
import Testing

@Suite("Files that are encrypted while they are written", .timeLimit(.minutes(1)))
struct SealingFileTests {
    private let fixture: DecryptionFixture
    private let file: OwnedDescriptor
    private let sealing: SealingFile

    init() throws {
        fixture = try DecryptionFixture()
        file = try OwnedDescriptor(unnamedFileIn: fixture.folder.path)
        sealing = SealingFile(file)
    }

    private func append(_ bytes: Data) throws {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(DecryptionError) in try sealing.append(bytes) }
        }
        try result.get()
    }

    /// The bytes on the disk.
    private var stored: Data {
        var bytes = [UInt8](repeating: 0, count: 200_000)
        let count = pread(file.descriptor, &bytes, bytes.count, 0)
        return Data(bytes.prefix(count))
    }

    private static func bytes(_ count: Int, seed: UInt64) -> Data {
        var random = SplitMix64(seed: seed)
        return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }

    @Test(
        "Parts of any length give the same picture, read back at any time",
        arguments: [1, 7, 16, 1000, 16_384, 50_000])
    func parts(length: Int) throws {
        let picture = Self.bytes(length == 1 ? 3_000 : 60_001, seed: UInt64(length))
        var rest = picture
        while !rest.isEmpty {
            try append(Data(rest.prefix(length)))
            rest = rest.dropFirst(length)
            // An encoder's output may be scored before it is complete.
            if rest.count % 5 == 0 {
                let soFar = Data(picture.prefix(picture.count - rest.count))
                #expect(try sealing.plaintext().whole() == soFar)
            }
        }
        #expect(sealing.length == picture.count)
        #expect(try sealing.plaintext().whole() == picture)
        for offset in stride(from: 0, to: picture.count, by: 997) {
            #expect(
                try sealing.plaintext().bytes(at: offset, count: 33)
                    == picture[offset..<min(offset + 33, picture.count)])
        }
    }

    @Test("The file is what Matrix's scheme decrypts with the seal, and has no run of the picture")
    func scheme() throws {
        let picture = Self.bytes(40_000, seed: 1)
        try append(picture)
        let seal = try sealing.seal()
        let ciphertext = stored
        #expect(ciphertext.count == picture.count)
        for start in stride(from: 0, to: picture.count - 16, by: 16) {
            #expect(ciphertext.range(of: picture[start..<start + 16]) == nil)
        }
        let digest = ContentDigest(of: ciphertext).rawValue
        let opened = try fixture.open(
            ciphertext,
            by: CounterDecryption(key: seal.key, counter: seal.counter, digest: Data(hex: digest)))
        #expect(try opened.whole() == picture)
    }

    @Test("An encoder that begins again gets another key, so that no key encrypts two texts")
    func again() throws {
        let picture = Self.bytes(20_000, seed: 2)
        var seals: Set<Manifest.Rendition.Seal> = []
        var files: Set<Data> = []
        for _ in 0..<5 {
            try sealing.empty()
            #expect(sealing.length == 0)
            try append(picture)
            seals.insert(try sealing.seal())
            files.insert(stored)
        }
        #expect(seals.count == 5 && files.count == 5)
        #expect(Set(seals.map(\.key)).count == 5 && Set(seals.map(\.counter)).count == 5)
    }

    @Test("Dumps of the file and of its plaintext have neither key nor bytes")
    func dumps() throws {
        try append(Self.bytes(100, seed: 4))
        var text = ""
        dump(sealing, to: &text)
        dump(try sealing.plaintext(), to: &text)
        #expect(text.contains("SealingFile") && !text.contains("elements"), "\(text)")
    }

    @Test("A file that cannot be written is an error, and what follows is not written in the clear")
    func unwritable() throws {
        let readOnly = try file.reopenedForReading()
        let sealing = SealingFile(readOnly)
        let picture = Self.bytes(20_000, seed: 3)
        for _ in 0..<2 {
            let result = picture.withUnsafeBytes { bytes in
                Result { () throws(DecryptionError) in try sealing.append(bytes) }
            }
            guard case .failure(let error) = result else {
                Issue.record("it was written")
                continue
            }
            #expect(error.code == .storage)
        }
        #expect(stored.isEmpty)
    }
}
