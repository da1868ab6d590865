import Foundation
import Testing

/// A wrong name in one generated file.
private struct Mutation {
    /// The end of the path of the file.
    let file: String
    let text: String
    let replacement: String

    /// Wrong forms of a name, of the kind that people write.
    private static func variants(of name: String) -> [String] {
        [
            String(name.dropLast()), name + "s", name.replacing("o", with: "O", maxReplacements: 1),
            name + " ",
        ]
    }

    /// The mutations of a tool's files, a group, a category or a key each.
    static func all(_ tool: String) -> [Mutation] {
        let isExpo = tool == "expo"
        let (group, category) = (InitRun.group, InitRun.category)
        let groupFiles =
            ["NotificationService.swift", "NotificationViewController.swift"]
            + ["Service.entitlements", "Content.entitlements"]
            + [isExpo ? "with-thimble.js" : "App.entitlements"]
        let groups = groupFiles.flatMap { file in
            variants(of: group).map { Mutation(file: file, text: group, replacement: $0) }
        }
        let categoryFiles =
            ["Content/Info.plist", "payload.json"]
            + [isExpo ? "pictureNotifications.js" : "PictureNotifications.swift"]
        let categories = categoryFiles.flatMap { file in
            // Names of files and types contain the word without quotation marks.
            variants(of: category).flatMap { variant in
                [("\"\(category)\"", "\"\(variant)\""), (">\(category)<", ">\(variant)<")].map {
                    Mutation(file: file, text: $0.0, replacement: $0.1)
                }
            }
        }
        let keys = [
            ("Service/Info.plist", "NSExtensionPointIdentifier"),
            ("Service/Info.plist", "NSExtensionPrincipalClass"),
            ("Service/Info.plist", "com.apple.usernotifications.service"),
            ("Content/Info.plist", "NSExtensionPointIdentifier"),
            ("Content/Info.plist", "NSExtensionPrincipalClass"),
            ("Content/Info.plist", "NSExtensionAttributes"),
            ("Content/Info.plist", "UNNotificationExtensionCategory"),
            ("Content/Info.plist", "UNNotificationExtensionInitialContentSizeRatio"),
            ("Content/Info.plist", "UNNotificationExtensionDefaultContentHidden"),
            ("Content/Info.plist", "UNNotificationExtensionOverridesDefaultTitle"),
            ("Content/Info.plist", "UNNotificationExtensionUserInteractionEnabled"),
            ("Content/Info.plist", "com.apple.usernotifications.content-extension"),
            ("Service.entitlements", "com.apple.security.application-groups"),
            ("Content.entitlements", "com.apple.security.application-groups"),
            ("payload.json", "mutable-content"), ("payload.json", "alert"),
            ("payload.json", "category"), ("payload.json", "aps"), ("payload.json", "media"),
            ("payload.json", "thimble"),
        ]
        let appKeys = [
            ("App.entitlements", "aps-environment"),
            ("App.entitlements", "com.apple.security.application-groups"),
        ]
        return groups + categories
            + (keys + (isExpo ? [] : appKeys)).map { file, key in
                Mutation(file: file, text: key, replacement: String(key.dropLast()))
            }
    }
}

@Suite("Wrong names in the files of thimble init", .timeLimit(.minutes(5)))
struct InitMutationTests {
    @Test(
        "Every wrong group, category or key is found, in its file or in the one that it differs from",
        arguments: InitRun.all)
    func found(init run: InitRun) throws {
        try InitRun.inFolder { folder in
            let (written, report) = try run.write(in: folder)
            #expect(written.code == 0, "\(written.errors)")
            var count = 0
            for mutation in Mutation.all(run.tool) {
                let path = try #require(
                    report.files.map(\.path).first { $0.hasSuffix(mutation.file) })
                let place = folder.appending(path: path)
                let original = try String(contentsOf: place, encoding: .utf8)
                let mutant = original.replacing(mutation.text, with: mutation.replacement)
                // Of the two forms of a category, a file has one.
                guard mutant != original else { continue }
                try mutant.write(to: place, atomically: true, encoding: .utf8)
                let check = try Command.shell(report.check, in: folder)
                #expect(
                    [2, 3].contains(check.code),
                    "\(mutation): \(check.code) \(check.output)\(check.errors)")
                try original.write(to: place, atomically: true, encoding: .utf8)
                count += 1
            }
            #expect(count >= 52, "\(count)")
            #expect(try Command.shell(report.check, in: folder).code == 0)
        }
    }
}
