import AttachmentContainer
import Foundation
import NotificationPayload

/// The parsed parts of an input, before any rule.
struct Project {
    typealias Finding = CheckReport.Finding
    typealias Place = CheckReport.Place

    let input: CheckInput
    private(set) var notifications: [Notification] = []
    private(set) var app: PropertyListFile?
    private(set) var services: [PropertyListFile] = []
    private(set) var content: [ContentExtension] = []
    private(set) var entitlements: [Entitlements] = []
    /// The built app; nil if not given or unreadable.
    private(set) var bundle: AppBundle?
    private(set) var registration = Registration.unknown
    /// The App Groups of the sources.
    private(set) var sourceGroups = AppGroupScan()
    /// The uses of a sealing key in the sources.
    private(set) var sealingKeys = KeychainScan()
    private(set) var container: SharedContainer?
    /// True if the sources find pictures by code; payloads then need not name them.
    private(set) var hasPictureSource = false
    /// The unreadable parts.
    private(set) var findings: [Finding] = []

    struct Notification {
        let file: String
        let line: Int?
        /// The folder of local attachments.
        let folder: String
        let payload: APNsPayload
        let content: NotificationContent
        let identifier: String?

        func place(_ key: String? = nil) -> Place {
            Place(file, line: line, key: key?.printable)
        }

        func place(_ setting: APNsPayload.Setting) -> Place {
            place(payload.path(of: setting)?.description)
        }
    }

    struct ContentExtension {
        let file: PropertyListFile
        /// The categories; nil if unreadable.
        let categories: [String]?
        /// The profile; nil if the file has faults.
        let profile: Profile?
        let faults: [ProfileError]
    }

    struct Entitlements {
        let role: Role
        let file: PropertyListFile
    }

    enum Role: String {
        case app, service, content
    }

    init(_ input: CheckInput) {
        self.input = input
        app = input.appInfoPlist.flatMap { propertyList($0) }
        services = [input.serviceInfoPlist].compactMap { $0.flatMap { propertyList($0) } }
        content = input.contentInfoPlists.compactMap { propertyList($0) }.map {
            ContentExtension($0, options: input.displayOptions)
        }
        readEntitlements(.app, [input.appEntitlements].compactMap(\.self))
        readEntitlements(.service, [input.serviceEntitlements].compactMap(\.self))
        readEntitlements(.content, input.contentEntitlements)
        readApp()
        readRegistration()
        for payloads in input.payloads { read(payloads) }
        openContainer()
    }

    private mutating func propertyList(_ path: String) -> PropertyListFile? {
        do throws(ProfileError) {
            return try PropertyListFile(path: path)
        } catch {
            findings.append(Finding(error))
            return nil
        }
    }

    private mutating func readEntitlements(_ role: Role, _ paths: [String]) {
        for path in paths {
            guard let file = propertyList(path) else { continue }
            entitlements.append(Entitlements(role: role, file: file))
        }
    }

    private mutating func readApp() {
        guard let path = input.app else { return }
        let bundle: AppBundle
        do throws(AppError) {
            let isKnown = input.registeredCategories != nil || !input.sources.isEmpty
            bundle = try AppReader.read(at: path, withStrings: !isKnown)
        } catch {
            findings.append(Finding(error))
            return
        }
        self.bundle = bundle
        findings += bundle.findings
        app = app ?? bundle.app?.info
        services += bundle.targets(.service).map(\.info)
        content += bundle.targets(.content).map {
            ContentExtension($0.info, options: input.displayOptions)
        }
        for target in [bundle.app].compactMap(\.self) + bundle.extensions {
            guard let file = target.entitlements?.file else { continue }
            entitlements.append(Entitlements(role: target.role, file: file))
        }
    }

    private mutating func readRegistration() {
        var categories: CategoryScan?
        if !input.sources.isEmpty {
            do throws(AppError) {
                let names = try SourceFolder.names(in: input.sources)
                hasPictureSource = names.hasPictureSource
                categories = names.categories
                sourceGroups = names.appGroups
                sealingKeys = names.sealingKeys
            } catch {
                findings.append(Finding(error))
            }
        }
        if let known = input.registeredCategories {
            registration = .complete(CategoryNames(known))
        } else if let categories {
            registration =
                categories.computed.isEmpty
                ? .complete(categories.categories)
                : .partial(categories.categories, computed: categories.computed)
        } else if input.sources.isEmpty, let strings = bundle?.strings {
            registration = .literals(strings)
        }
    }

    private mutating func openContainer() {
        guard let path = input.container else { return }
        do throws(ContainerError) {
            container = try SharedContainer.open(at: URL(fileURLWithPath: path, isDirectory: true))
        } catch {
            findings.append(Finding(error))
        }
    }
}

extension Project {
    private mutating func read(_ payloads: CheckInput.Payloads) {
        switch payloads {
        case .bytes(let bytes, let name, let folder): read(bytes, name, folder)
        case .file(let path):
            do throws(ProfileError) {
                let limit = JSONLimits().maximumBytes
                let bytes = try BoundedFile.contents(of: path, ceiling: limit)
                read(
                    Array(bytes), path, URL(fileURLWithPath: path).deletingLastPathComponent().path)
            } catch {
                findings.append(Finding(error))
            }
        }
    }

    private mutating func read(_ bytes: [UInt8], _ name: String, _ folder: String) {
        var splitter = PayloadSplitter()
        let pieces = (splitter.append(bytes) + splitter.finish()).filter {
            guard case .verbatim = $0 else { return true }
            return false
        }
        // The line tells payloads apart, and is redundant for a single one.
        let isStream = pieces.count > 1
        for piece in pieces {
            do throws(PayloadError) {
                guard case .document(let document, let line) = piece else {
                    if let error = piece.refusal { throw error }
                    continue
                }
                let payload = try APNsPayload(document)
                let identifier = input.identifier ?? payload.identifier()
                notifications.append(
                    Notification(
                        file: name, line: isStream ? line : nil, folder: folder, payload: payload,
                        content: payload.content(
                            identifier: identifier ?? "", style: input.payloadStyle),
                        identifier: identifier))
            } catch {
                findings.append(
                    Finding(
                        .malformedPayload, error.reason,
                        at: Place(name, line: error.line), remedy: error.code.remedy))
            }
        }
        if pieces.isEmpty {
            findings.append(
                Finding(.malformedPayload, "the payload has only white space", at: Place(name)))
        }
    }
}

extension Project.ContentExtension {
    fileprivate init(_ file: PropertyListFile, options: DisplayOptions) {
        var reader = DeclarationReader(file)
        profile = reader.profile(with: options)
        self.file = file
        categories = reader.categories
        faults = reader.faults
    }
}

extension PropertyListFile {
    func place(_ key: String) -> CheckReport.Place { CheckReport.Place(path, key: key) }

    func place(_ key: DeclarationKey) -> CheckReport.Place { place(key.path) }
}

extension CheckReport.Finding {
    init(_ error: ProfileError) {
        let code: CheckReport.Code =
            switch error.code {
            case .unreadable: .unreadableFile
            case .tooLarge, .malformed, .tooComplex: .malformedFile
            case .missingKey:
                error.key == DeclarationKey.pointIdentifier.path ? .extensionPoint : .missingKey
            case .wrongType: .wrongType
            case .invalidValue: .invalidValue
            case .wrongExtensionPoint: .extensionPoint
            case .duplicateCategory: .duplicateCategory
            }
        let key = error.key.isEmpty ? nil : error.key
        let name = key.flatMap { $0.split(separator: ".").last }
        self.init(
            code,
            (name.map { "\($0): " } ?? "") + error.reason
                + (error.detail.isEmpty ? "" : ": \(error.detail)"),
            at: CheckReport.Place(error.file, key: key))
    }

    init(_ error: ContainerError) {
        let code: CheckReport.Code =
            switch error.code {
            case .missing, .notAFolder: .missingContainer
            case .unknownVersion: .containerVersion
            default: .unreadableContainer
            }
        self.init(code, error.reason, at: CheckReport.Place(error.path))
    }
}
