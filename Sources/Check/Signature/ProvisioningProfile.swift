import Foundation

/// A provisioning profile: a property list in a CMS signature.
///
/// The signature is not verified, which only the system can do.
enum ProvisioningProfile {
    /// Maximum size, in bytes; profiles with many devices have 200 kB.
    static let ceiling = 4 << 20

    /// Reads the entitlements that a profile permits; nil without any.
    ///
    /// - Throws: `AppError` or a fault of the property list.
    static func entitlements(in bytes: [UInt8], path: String) throws -> PropertyListFile? {
        // The list is one octet string of the CMS content, uncompressed.
        guard let start = bytes.firstRange(of: "<?xml".utf8)?.lowerBound,
            let end = bytes[start...].firstRange(of: "</plist>".utf8)?.upperBound
        else {
            throw AppError(
                .malformedProfile, file: path, "the provisioning profile has no property list")
        }
        let list = try PropertyListFile(Data(bytes[start..<end]), path: path)
        guard let values = try list.value(["Entitlements"], as: [String: PropertyValue].self)
        else { return nil }
        return PropertyListFile(root: values, path: path)
    }
}
