import Foundation

/// The entitlements of a built target, and the place that they are from.
enum TargetEntitlements {
    /// Signed, or embedded for the simulator; empty if the signature has none.
    case known(PropertyListFile)
    /// Entitlements that the provisioning profile permits; the program has no signature.
    case permitted(PropertyListFile)
    /// No entitlements were found, with the reason.
    case unknown(String)

    /// The entitlements; nil if unknown.
    var file: PropertyListFile? {
        switch self {
        case .known(let file), .permitted(let file): file
        case .unknown: nil
        }
    }

    /// The entitlements of a program; nil without a usable signature.
    ///
    /// - Throws: `AppError` or `ProfileError` naming the program.
    static func signed(in file: MachOFile, path: String) throws -> TargetEntitlements? {
        var hasOnlyEncoded = false
        var isSigned = false
        for slice in file.slices {
            // Builds for the simulator have theirs in a section, and others in the signature.
            if let list = slice.contents(ofSection: "__entitlements") {
                return .known(try PropertyListFile(copying: list, path: path))
            }
            guard let bytes = slice.signature else { continue }
            let signature = try CodeSignature(bytes, path: path)
            if let list = signature.entitlements {
                return .known(try PropertyListFile(copying: list, path: path))
            }
            isSigned = isSigned || !signature.isMadeByLinker
            hasOnlyEncoded = hasOnlyEncoded || signature.hasEncodedEntitlements
        }
        if hasOnlyEncoded { return .unknown("the signature has entitlements in DER only") }
        return isSigned ? .known(PropertyListFile(root: [:], path: path)) : nil
    }
}

extension PropertyListFile {
    /// Reads a part of a program; one above the ceiling is not copied.
    fileprivate init(copying part: ArraySlice<UInt8>, path: String) throws(ProfileError) {
        try self.init(Data(part.prefix(Self.ceiling + 1)), path: path)
    }
}
