import AttachmentWorker
import Foundation
import Testing

@Suite("Installations", .timeLimit(.minutes(2)))
struct InstallationTests {
    private static let packaging = "'\(Command.package.path)/Packaging'"
    private static let install = "\(packaging)/install.sh '\(Command.products.path)'"
    private static let uninstall = "\(packaging)/uninstall.sh"

    private static func files(below folder: URL) throws -> Set<String> {
        Set(try FileManager.default.subpathsOfDirectory(atPath: folder.path))
    }

    @Test("The command works where it is installed, and nothing stays when it is removed")
    func cycle() throws {
        try WorkingFolder.with { folder in
            // A script that forgets quotes cuts these names in two.
            let variables = "DESTDIR=\"$PWD/a root\" PREFIX='/opt/a prefix'"
            let prefix = folder.appending(path: "a root/opt/a prefix")
            let kept = prefix.appending(path: "share/kept")
            try FileManager.default.createDirectory(
                at: kept.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("x".utf8).write(to: kept)
            // Twice, as an update does.
            for _ in 0..<2 {
                let installed = try Command.shell("\(variables) \(Self.install)", in: folder)
                #expect(installed.code == 0, "\(installed.errors)")
            }
            let files = try Self.files(below: prefix)
            #expect(files.isSuperset(of: ["bin/thimble", "libexec/thimble/thimble-row-worker"]))
            #expect(!files.contains { $0.hasSuffix(".new") })
            #expect(!files.contains("bin/thimble-worker"), "shells would find workers")

            // Through a link too, as from another folder of the path.
            let batch = try Command.shell(
                "ln -s 'a root/opt/a prefix/bin/thimble' linked; mkdir Pictures; "
                    + "cp Images/still-life-ready.jpg Pictures; ./linked batch Pictures --container C",
                in: folder)
            #expect(batch.code == 0, "\(batch.output)\(batch.errors)")

            let removed = try Command.shell("\(variables) \(Self.uninstall)", in: folder)
            #expect(removed.code == 0, "\(removed.errors)")
            #expect(try Self.files(below: prefix) == ["share", "share/kept"])
        }
    }

    @Test(
        "The benchmark works where it is installed, and says how to install other tools",
        .enabled(
            if: (try? ControlGroupHierarchy.delegated()) != nil, "control groups are unavailable"))
    func benchmark() throws {
        try WorkingFolder.with { folder in
            let variables = "DESTDIR=$PWD PREFIX=/installed"
            let prefix = folder.appending(path: "installed")
            #expect(try Command.shell("\(variables) \(Self.install)", in: folder).code == 0)
            let line = """
                mkdir -p elsewhere/Pictures; cp Images/still-life-ready.jpg elsewhere/Pictures; cd elsewhere
                HOME=$PWD/home XDG_CACHE_HOME= ../installed/bin/thimble bench Pictures --caps 12
                """
            let own = try Command.shell("\(line) --compare none --report json", in: folder)
            #expect(own.code == 0 && own.output.contains(#""survived""#), "\(own.errors)")
            let elsewhere = folder.appending(path: "elsewhere")
            let kept = elsewhere.appending(path: "home/.cache/thimble/bench")
            #expect(try Self.files(below: kept).contains { $0.hasPrefix("cells/") })
            #expect(try Self.files(below: elsewhere).allSatisfy { !$0.hasPrefix(".build") })

            let missing = try Command.shell("\(line) --compare pyvips", in: folder)
            let environment = "\(kept.resolvingSymlinksInPath().path)/python"
            let remedy = "python3 -m venv \(environment) && \(environment)/bin/pip install pyvips"
            #expect(missing.code == 1 && missing.errors.contains(remedy), "\(missing.errors)")

            #expect(try Command.shell("\(variables) \(Self.uninstall)", in: folder).code == 0)
            #expect(!FileManager.default.fileExists(atPath: prefix.path))
        }
    }

    @Test("A missing worker is reported with the folders that were searched and what to do")
    func missingWorker() throws {
        try WorkingFolder.with { folder in
            let line = """
                mkdir -p bin libexec/thimble; cp '\(Command.products.path)/thimble' bin
                bin/thimble process Images/still-life-ready.jpg --id 1 --container C
                """
            let run = try Command.shell(line, in: folder)
            #expect(run.code == 1)
            let root = folder.resolvingSymlinksInPath().path
            let places = "thimble-worker in \(root)/bin or \(root)/libexec/thimble"
            #expect(run.errors.contains(places), "\(run.errors)")
            #expect(run.errors.contains("make install"))
        }
    }

    @Test("The environment names the only folder of workers, and errors name it")
    func environment() throws {
        try WorkingFolder.with { folder in
            let process = "thimble process Images/still-life-ready.jpg --id 1 --container C"
            let line = """
                mkdir bin; cp '\(Command.products.path)/thimble' bin
                THIMBLE_PROGRAMS='\(Command.products.path)' bin/\(process)
                """
            let found = try Command.shell(line, in: folder)
            #expect(found.code == 0, "\(found.errors)")
            // Beside the command are workers, but they are not meant.
            let missing = try Command.shell("THIMBLE_PROGRAMS=$PWD/bin \(process)", in: folder)
            #expect(missing.code == 1)
            #expect(
                missing.errors.contains(
                    "thimble-worker in \(folder.resolvingSymlinksInPath().path)/bin;"),
                "\(missing.errors)")
            #expect(missing.errors.contains("THIMBLE_PROGRAMS"))
        }
    }

    @Test("A worker in the working folder is not run when a shell found the command")
    func workingFolder() throws {
        try WorkingFolder.with { folder in
            let line = """
                mkdir bin; cp '\(Command.products.path)/thimble' bin
                printf '#!/bin/sh\\ntouch was-run\\n' >thimble-worker; chmod +x thimble-worker
                PATH="$PWD/bin:$PATH" thimble process Images/still-life-ready.jpg --id 1 --container C
                """
            let run = try Command.shell(line, in: folder)
            #expect(run.code == 1)
            let marker = folder.appending(path: "was-run").path
            #expect(!FileManager.default.fileExists(atPath: marker))
        }
    }

    @Test("Nothing is installed without the workers, or to a relative prefix")
    func refusals() throws {
        try WorkingFolder.with { folder in
            let lines = [
                "mkdir empty; DESTDIR=$PWD/to \(Self.packaging)/install.sh empty": "make build",
                "PREFIX=to \(Self.install)": "absolute path",
                "DESTDIR=$PWD/to \(Self.uninstall)": "nothing is installed",
            ]
            for (line, reason) in lines {
                let run = try Command.shell(line, in: folder)
                #expect(run.code == 1 && run.errors.contains(reason), "\(line): \(run.errors)")
            }
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "to").path))
        }
    }
}
