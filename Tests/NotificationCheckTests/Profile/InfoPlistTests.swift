import AttachmentContainer
import NotificationCheck
import Foundation
import Testing

@Suite("Reading an Info.plist", .timeLimit(.minutes(1)))
struct InfoPlistTests {
    @Test(
        "All declarations are read from XML and binary files",
        arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func declarations(format: PropertyListSerialization.PropertyListFormat) throws {
        let declaration = InfoPlist.declaration(
            [
                "UNNotificationExtensionCategory": ["photo", "album-é"],
                "UNNotificationExtensionInitialContentSizeRatio": 1,
                "UNNotificationExtensionDefaultContentHidden": true,
                "UNNotificationExtensionOverridesDefaultTitle": true,
                "UNNotificationExtensionUserInteractionEnabled": true,
            ], extension: ["NSExtensionPrincipalClass": "Photo.ViewController"])
        let folder = try InfoPlist()
        let path = try folder.write(InfoPlist.data(declaration, as: format))
        let profile = try Profile(infoPlist: path)
        #expect(profile.source == path)
        #expect(profile.categories == ["photo", "album-é"])
        #expect(profile.initialContentSizeRatio == 1)
        #expect(profile.hidesDefaultContent)
        #expect(profile.overridesDefaultTitle)
        #expect(profile.isUserInteractionEnabled)
        #expect(profile.extensionPoint == .content)
        #expect(profile.principalClass == "Photo.ViewController")
        #expect(profile.mainStoryboard == "MainInterface")
    }

    @Test("Absent keys and options have their defaults")
    func defaults() throws {
        let data = try InfoPlist.data(InfoPlist.declaration())
        let profile = try Profile(infoPlist: data, source: "Info.plist")
        #expect(profile.categories == ["photo"])
        #expect(!profile.hidesDefaultContent)
        #expect(!profile.overridesDefaultTitle)
        #expect(!profile.isUserInteractionEnabled)
        #expect(profile.principalClass == nil)
        #expect(profile.display == Display(width: 440, scale: 3, renderBudget: .mebibytes(8)))
        #expect(profile.fitting == .fit)
    }

    @Test("A byte order mark, white space and a missing XML declaration are accepted")
    func prologues() throws {
        let xml = try String(
            decoding: InfoPlist.data(InfoPlist.declaration()), as: UTF8.self)
        let body = try #require(xml.range(of: "<plist"))
        for text in ["\u{FEFF}\(xml)", "\n \(xml[body.lowerBound...])", "<!-- > <a> -->\n\(xml)"] {
            let profile = try Profile(infoPlist: Data(text.utf8), source: "Info.plist")
            #expect(profile.categories == ["photo"])
        }
    }

    /// A change to the extension's dictionary or its attributes, and the expected result.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: ProfileError.Code
        let key: String
        let declaration: @Sendable () -> [String: Any]

        init(
            _ name: String, _ code: ProfileError.Code, _ key: String,
            _ declaration: @escaping @Sendable () -> [String: Any]
        ) {
            (testDescription, self.code, self.key) = (name, code, key)
            self.declaration = declaration
        }

        init(_ name: String, _ code: ProfileError.Code, attribute: String, _ value: (any Sendable)?)
        {
            self.init(name, code, "NSExtension.NSExtensionAttributes.\(attribute)") {
                InfoPlist.declaration([attribute: value as Any?])
            }
        }
    }

    private static let category = "UNNotificationExtensionCategory"
    private static let ratio = "UNNotificationExtensionInitialContentSizeRatio"

    static let faults: [Fault] = [
        Fault("no category", .missingKey, attribute: category, nil),
        Fault("a category that is a number", .wrongType, attribute: category, 7),
        Fault("a number among categories", .wrongType, attribute: category, [7]),
        Fault("no categories in the array", .invalidValue, attribute: category, [String]()),
        Fault("an empty category", .invalidValue, attribute: category, ""),
        Fault("the same category twice", .duplicateCategory, attribute: category, ["a", "a"]),
        Fault("no ratio", .missingKey, attribute: ratio, nil),
        Fault("a ratio of 0", .invalidValue, attribute: ratio, 0),
        Fault("a negative ratio", .invalidValue, attribute: ratio, -0.5),
        Fault("a ratio that is no number", .invalidValue, attribute: ratio, Double.nan),
        Fault("an infinite ratio", .invalidValue, attribute: ratio, Double.infinity),
        Fault("a ratio in quotation marks", .wrongType, attribute: ratio, "0.75"),
        Fault("a Boolean ratio", .wrongType, attribute: ratio, true),
        Fault(
            "a number for a Boolean", .wrongType,
            attribute: "UNNotificationExtensionDefaultContentHidden", 1),
        Fault(
            "a text for a Boolean", .wrongType,
            attribute: "UNNotificationExtensionUserInteractionEnabled", "YES"),
        Fault("no extension point", .missingKey, "NSExtension.NSExtensionPointIdentifier") {
            InfoPlist.declaration(extension: ["NSExtensionPointIdentifier": nil])
        },
        Fault(
            "a service extension's", .wrongExtensionPoint, "NSExtension.NSExtensionPointIdentifier"
        ) {
            InfoPlist.declaration(
                extension: ["NSExtensionPointIdentifier": "com.apple.usernotifications.service"])
        },
        Fault("nothing to load", .missingKey, "NSExtension.NSExtensionMainStoryboard") {
            InfoPlist.declaration(extension: ["NSExtensionMainStoryboard": nil])
        },
        Fault("an app's", .missingKey, "NSExtension.NSExtensionPointIdentifier") {
            ["CFBundleIdentifier": "org.example.app"]
        },
        Fault("an array for the extension", .wrongType, "NSExtension") { ["NSExtension": [1]] },
        Fault("no attributes", .missingKey, "NSExtension.NSExtensionAttributes.\(category)") {
            InfoPlist.declaration(extension: ["NSExtensionAttributes": nil])
        },
    ]

    @Test("Each fault is an error with file, key and remedy", arguments: faults)
    func fault(fault: Fault) throws {
        for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
            let data = try InfoPlist.data(fault.declaration(), as: format)
            let error = #expect(throws: ProfileError.self) {
                try Profile(infoPlist: data, source: "Photo/Info.plist")
            }
            #expect(error?.code == fault.code)
            #expect(error?.key == fault.key)
            #expect(error?.description.hasPrefix("Photo/Info.plist: \(fault.key): ") == true)
        }
    }

    @Test("Every kind of error has a remedy", arguments: ProfileError.Code.allCases)
    func remedies(code: ProfileError.Code) {
        let error = ProfileError(code, file: "a", key: "b", reason: "c", detail: "d")
        #expect(error.description == "a: b: c; \(code.remedy)")
        #expect(error.detailedDescription == "[\(code.rawValue)] a: b: c; \(code.remedy) (d)")
        #expect(!code.remedy.isEmpty && code.remedy.last != ".")
    }
}
