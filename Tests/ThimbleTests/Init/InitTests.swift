import Foundation
import Testing

@Suite("thimble init", .timeLimit(.minutes(2)))
struct InitTests {
    @Test("All files of a tool are written, and their check finds nothing", arguments: InitRun.all)
    func complete(init run: InitRun) throws {
        try InitRun.inFolder { folder in
            let (written, report) = try run.write(in: folder)
            #expect(written.code == 0, "\(written.errors)")
            let tree = try InitRun.tree(folder)
            let files = tree.filter { $0.value != nil }
            #expect(Set(files.keys) == Set(report.files.map(\.path)))
            #expect(report.files.count >= 9 && report.files.allSatisfy { $0.contents == nil })
            for file in report.files {
                let data = try #require(files[file.path] ?? nil)
                #expect(data.count == file.bytes)
                #expect(!String(decoding: data, as: UTF8.self).contains("__"), "\(file.path)")
            }
            let check = try Command.shell(report.check, in: folder)
            #expect(check.code == 0, "\(check.output)\(check.errors)")
            #expect(check.output.contains("0 errors, 0 warnings, 0 notes (1 payload checked)"))
            // Of the names and files, everything is compared.
            let open = ["--registered-category", "--sources", "--profile", "--service-info"]
            for option in open + (run.tool == "expo" ? [] : ["--app-entitlements"]) {
                #expect(!check.output.contains("\n  \(option)  "), "\(check.output)")
            }
        }
    }

    @Test("Text has every file, the steps and the check, whose line works as it is")
    func text() throws {
        try InitRun.inFolder { folder in
            let run = try Command.shell(
                "thimble init New/App --for xcode --bundle-id org.example.daily-pick", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let lines = run.output.split(separator: "\n").map(String.init)
            #expect(lines.contains("wrote DailyPickService/NotificationService.swift"))
            #expect(lines.contains("Next"))
            let line = try #require(lines.last)
            let check = try Command.shell("cd New/App && \(line)", in: folder)
            #expect(check.code == 0, "\(check.output)\(check.errors)")
        }
    }

    @Test("Names take their places, and a URL stands in for the path")
    func names() throws {
        try InitRun.inFolder { folder in
            for tool in ["xcodegen", "tuist", "expo"] {
                let run = try Command.shell(
                    """
                    thimble init \(tool) --for \(tool) --bundle-id org.example.daily --name Runner \
                        --app-group group.org.example.shared --category NEW_PICTURE \
                        --service-name Fetch --content-name Show \
                        --package https://example.org/thimble.git
                    """, in: folder)
                #expect(run.code == 0, "\(run.errors)")
            }
            func text(_ path: String) throws -> String {
                try String(contentsOf: folder.appending(path: path), encoding: .utf8)
            }
            let yaml = try text("xcodegen/thimble.yml")
            #expect(yaml.contains("    url: \"https://example.org/thimble.git\"\n    from: \""))
            #expect(yaml.contains("\n  Runner:\n") && yaml.contains("org.example.daily.service"))
            let helper = try text(
                "tuist/Tuist/ProjectDescriptionHelpers/PictureNotificationTargets.swift")
            #expect(helper.contains("url: \"https://example.org/thimble.git\""))
            #expect(helper.contains("appExtension(\"Fetch\", \"org.example.daily.service\""))
            let plugin = try text("expo/plugins/with-thimble.js")
            #expect(plugin.contains("const location = \"https://example.org/thimble.git\";"))
            #expect(plugin.contains("  Fetch: \"NotificationAdapters\","))
            let service = try text("expo/targets/Fetch/NotificationService.swift")
            #expect(service.contains("{ \"group.org.example.shared\" }"))
            #expect(try text("tuist/Show/Info.plist").contains("<string>NEW_PICTURE</string>"))
        }
    }

    @Test(
        "A dry run prints the files that a run writes, and writes nothing", arguments: InitRun.all)
    func dryRun(init run: InitRun) throws {
        try InitRun.inFolder { folder in
            let (dry, report) = try run.write("--dry-run", in: folder)
            #expect(dry.code == 0, "\(dry.errors)")
            #expect(try InitRun.tree(folder).isEmpty)
            #expect(try run.write(in: folder).run.code == 0)
            for file in report.files {
                let data = try Data(contentsOf: folder.appending(path: file.path))
                #expect(try #require(file.contents) == String(decoding: data, as: UTF8.self))
            }
            let text = try Command.shell("thimble init --dry-run New \(run.arguments)", in: folder)
            #expect(text.output.contains("== ") && text.output.contains("PictureServiceExtension"))
            #expect(try InitRun.tree(folder)["New"] == nil)
        }
    }

    @Test("A file that exists is named and kept, and nothing is written; --force replaces it")
    func existing() throws {
        let run = InitRun(tool: "xcodegen")
        try InitRun.inFolder { folder in
            try Data("mine".utf8).write(to: folder.appending(path: "thimble.yml"))
            let before = try InitRun.tree(folder)
            for option in ["", "--dry-run"] {
                let (refused, report) = try run.write(option, in: folder)
                #expect(refused.code == 3)
                #expect(report.error == "exists" && report.errorPath == "thimble.yml")
                #expect(refused.errors.contains("thimble.yml: the file exists"))
                #expect(refused.errors.contains("--force"))
                #expect(try InitRun.tree(folder) == before)
            }
            #expect(try run.write("--force", in: folder).run.code == 0)
            let after = try InitRun.tree(folder)
            #expect(after["thimble.yml"] != before["thimble.yml"])
            #expect(after.keys.allSatisfy { !$0.hasPrefix(".") }, "\(after.keys)")
            #expect(try run.write(in: folder).report.error == "exists")
            #expect(try InitRun.tree(folder) == after)
        }
    }

    @Test("Items of the wrong type are named, with --force too")
    func wrongTypes() throws {
        try InitRun.inFolder { folder in
            for line in [
                "mkdir -p a/thimble.yml", "mkdir b && touch b/DailyService", "touch c",
                "mkdir d && ln -s nowhere d/DailyContent",
            ] {
                #expect(try Command.shell(line, in: folder).code == 0)
            }
            let before = try InitRun.tree(folder)
            for name in ["a", "b", "c", "d"] {
                let (run, report) = try InitRun(tool: "xcodegen").write(
                    "--force \(name)", in: folder)
                #expect(run.code == 3 && report.error == "wrong-type", "\(name): \(run.errors)")
                #expect(try InitRun.tree(folder) == before)
            }
        }
    }

    @Test("If a file cannot be written, the folder stays as it was", arguments: ["", "--force"])
    func failure(option: String) throws {
        try InitRun.inFolder { folder in
            let run = InitRun(tool: "expo")
            if option == "--force" {
                #expect(try run.write(in: folder).run.code == 0)
                try Data("mine".utf8).write(
                    to: folder.appending(path: "PictureNotifications/payload.json"))
            }
            let before = try InitRun.tree(folder)
            // The config plugin is longer than the files may be.
            let limited = try Command.shell(
                "(trap '' XFSZ; ulimit -f 2; thimble init \(run.arguments) \(option) 2>&1 | cat)",
                in: folder)
            #expect(limited.output.contains("error: "), "\(limited.output)")
            #expect(limited.output.contains("check owner and permissions of the folder"))
            #expect(try InitRun.tree(folder) == before)
        }
    }

    @Test(
        "Wrong names are refused before anything is written",
        arguments: [
            "--bundle-id daily", "--bundle-id org..daily", "--bundle-id 'org.example.da ily'",
            "--bundle-id org.example.daily --app-group org.example.daily",
            "--bundle-id org.example.daily --app-group 'group.a\"b'",
            "--bundle-id org.example.daily --category ''",
            "--bundle-id org.example.daily --category '<b>'",
            "--bundle-id org.example.daily --name 9lives",
            "--bundle-id org.example.daily --name ../up",
            "--bundle-id org.example.daily --name On",
            "--bundle-id org.example.daily --service-name Same --content-name same",
            "--bundle-id org.example.daily --service-name PictureNotifications",
            "--bundle-id org.example.daily --for expo",
            "--bundle-id org.example.daily --for expo --package 'a\"b'",
        ])
    func wrongNames(arguments: String) throws {
        try InitRun.inFolder { folder in
            let tool = arguments.contains("--for") ? "" : "--for xcode "
            let run = try Command.shell("thimble init \(tool)\(arguments)", in: folder)
            #expect(run.code == 64, "\(run.output)\(run.errors)")
            #expect(run.errors.contains("Error:"))
            #expect(try InitRun.tree(folder).isEmpty)
        }
    }
}
