/// The code signature of a program: an embedded superblob (Apple, `cs_blobs.h` of XNU).
struct CodeSignature {
    /// The entitlements, as a property list; nil without them.
    let entitlements: ArraySlice<UInt8>?
    /// True if the signature has entitlements in DER.
    ///
    /// They are not read: tools that write them also write the property list, which is the same.
    let hasEncodedEntitlements: Bool
    /// True if the linker made the signature, without entitlements and without an identity.
    let isMadeByLinker: Bool

    private enum Magic {
        static let superblob = 0xFADE_0CC0
        static let codeDirectory = 0xFADE_0C02
        static let entitlements = 0xFADE_7171
        static let encodedEntitlements = 0xFADE_7172
    }

    /// `CS_LINKER_SIGNED` in the flags of a code directory.
    private static let linkerSigned = 0x2_0000
    /// Maximum number of blobs; signatures have about 8.
    private static let blobLimit = 64

    /// Parses a signature.
    ///
    /// - Throws: `AppError` naming the program if the signature is damaged.
    init(_ bytes: ByteReader, path: String) throws(AppError) {
        let reader = bytes.bigEndian
        func malformed(_ reason: String) -> AppError {
            AppError(.malformedSignature, file: path, reason)
        }
        guard reader.uint32(at: 0) == Magic.superblob, let length = reader.uint32(at: 4),
            let count = reader.uint32(at: 8), length >= 12,
            let blobs = reader.part(at: 0, count: length)
        else { throw malformed("the signature is damaged or cut off") }
        guard count <= Self.blobLimit else {
            throw malformed("the signature has more than \(Self.blobLimit) parts")
        }
        var entitlements: ArraySlice<UInt8>?
        var hasEncodedEntitlements = false
        var isMadeByLinker = false
        for index in 0..<count {
            guard let offset = blobs.uint32(at: 16 + index * 8),
                let magic = blobs.uint32(at: offset), let length = blobs.uint32(at: offset + 4),
                length >= 8, let blob = blobs.part(at: offset, count: length)
            else { throw malformed("a part of the signature is damaged or cut off") }
            switch magic {
            case Magic.entitlements:
                guard entitlements == nil else {
                    throw malformed("the signature has entitlements twice")
                }
                entitlements = blob.bytes(at: 8, count: length - 8)
            case Magic.encodedEntitlements: hasEncodedEntitlements = true
            case Magic.codeDirectory:
                guard let flags = blob.uint32(at: 12) else {
                    throw malformed("the signature's code directory is cut off")
                }
                isMadeByLinker = flags & Self.linkerSigned != 0
            default: break
            }
        }
        self.entitlements = entitlements
        self.hasEncodedEntitlements = hasEncodedEntitlements
        self.isMadeByLinker = isMadeByLinker
    }
}
