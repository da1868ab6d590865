import Foundation

/// A manifest as it is stored: in the clear, or sealed.
enum StoredManifest: Decodable {
    case clear(Manifest)
    case sealed(SealedManifest)

    private enum CodingKeys: CodingKey { case box }

    init(from decoder: any Decoder) throws {
        let isSealed = Self.isSealed(decoder)
        self =
            isSealed
            ? .sealed(try SealedManifest(from: decoder)) : .clear(try Manifest(from: decoder))
    }

    private static func isSealed(_ decoder: any Decoder) -> Bool {
        (try? decoder.container(keyedBy: CodingKeys.self).contains(.box)) == true
    }

    /// The key of the notification.
    var key: ContentDigest {
        switch self {
        case .clear(let manifest): manifest.key
        case .sealed(let manifest): manifest.key
        }
    }

    /// Paths of the renditions, relative to their folder.
    var files: [String] {
        switch self {
        case .clear(let manifest): manifest.renditions.map(\.file)
        case .sealed(let manifest): manifest.renditions
        }
    }
}

extension StoredManifest {
    /// The length of a rendition; nil in a sealed manifest, whose digests tell a cut file too.
    func bytes(of file: String) -> ByteCount? {
        guard case .clear(let manifest) = self else { return nil }
        return manifest.renditions.first { $0.file == file }?.bytes
    }
}

/// A manifest whose facts only the holders of a key can read.
///
/// In the clear are what pruning needs: the notification's key, and the files, whose names are digests of
/// ciphertext. Identifier, sizes, placeholder, colours, digests and the keys of the files are encrypted.
struct SealedManifest: Codable, Equatable {
    /// Earlier releases keep files of a higher major version, and their renditions.
    static let formatVersion = FormatVersion(major: 2, minor: 0)

    private(set) var formatVersion = Self.formatVersion
    let key: ContentDigest
    /// The name of the sealing key.
    let sealingKey: String
    let renditions: [String]
    /// The encrypted manifest.
    let box: Data

    /// Encrypts a manifest; `json` is its encoding.
    init(_ manifest: Manifest, json: Data, by key: SealingKey, at path: String)
        throws(ContainerError)
    {
        guard
            let box = SealedMessage.seal(json, by: key, for: Self.context(manifest.key))
        else {
            throw ContainerError(.system, path: path, reason: "the system's cipher failed")
        }
        self.key = manifest.key
        sealingKey = key.name
        renditions = manifest.renditions.map(\.file)
        self.box = box
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        formatVersion = try fields.decode(FormatVersion.self, forKey: .formatVersion)
        key = try fields.decode(ContentDigest.self, forKey: .key)
        sealingKey = try fields.decode(String.self, forKey: .sealingKey)
        renditions = try fields.decode([String].self, forKey: .renditions)
        box = try fields.decode(Data.self, forKey: .box)
        guard renditions.allSatisfy(Manifest.Rendition.isRenditionPath) else {
            throw DecodingError.dataCorruptedError(
                forKey: .renditions, in: fields, debugDescription: "invalid path of a rendition")
        }
    }

    /// Decrypts the manifest.
    ///
    /// - Throws: `ContainerError` with the code `otherKey` for another key than the one that sealed it, and
    ///   `corrupt` for a changed file.
    func opened(by key: SealingKey, at path: String) throws(ContainerError) -> Manifest {
        guard key.name == sealingKey else {
            throw ContainerError(
                .otherKey, path: path, reason: "it was sealed with another key than the present one"
            )
        }
        guard let json = SealedMessage.open(box, by: key, for: Self.context(self.key)) else {
            throw ContainerError(.corrupt, path: path, reason: "it was changed after it was sealed")
        }
        let manifest = try VersionedJSON.decode(Manifest.self, from: json, path: path)
        guard manifest.renditions.map(\.file) == renditions,
            manifest.renditions.allSatisfy(\.isSealed)
        else {
            throw ContainerError(
                .corrupt, path: path, reason: "its renditions are not those it names")
        }
        return manifest
    }

    /// Binds the encrypted part to its notification, so that no file can be exchanged for another.
    private static func context(_ key: ContentDigest) -> String { "thimble manifest 2 \(key)" }
}

/// A format that reads other versions than the current one.
protocol VersionedFormat {
    static func isReadable(_ version: FormatVersion, from decoder: any Decoder) -> Bool
}

extension StoredManifest: VersionedFormat {
    static func isReadable(_ version: FormatVersion, from decoder: any Decoder) -> Bool {
        version.isReadable
            || (version.major == SealedManifest.formatVersion.major && isSealed(decoder))
    }
}
