import Foundation
import Testing

@Suite("Manual pages", .timeLimit(.minutes(1)))
struct ManualTests {
    private static let line = """
        '\(Command.package.path)/Packaging/manuals.py' '\(Command.products.path)' man
        """

    private static func isInstalled(_ program: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
    }

    @Test("Every command has a page with its options, and so have the file formats")
    func pages() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(Self.line, in: folder)
            #expect(run.code == 0, "\(run.errors)")
            for command in ["batch", "convert", "doctor", "init", "container-prune"] {
                let page = try String(
                    contentsOf: folder.appending(path: "man/man1/thimble-\(command).1"),
                    encoding: .utf8)
                #expect(page.contains(".Sh OPTIONS"), "\(command)")
            }
            let format = try String(
                contentsOf: folder.appending(path: "man/man5/thimble-container.5"), encoding: .utf8)
            for field in ["contentSizeRatio", "sha256", "loopCount"] {
                #expect(format.contains(".It Va \(field)\n"), "\(field)")
            }
        }
    }

    @Test("mandoc has nothing to warn about", .enabled(if: isInstalled("mandoc")))
    func lint() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell(
                "\(Self.line) && mandoc -Tlint -Wwarning man/*/*", in: folder)
            #expect(run.code == 0 && run.output.isEmpty, "\(run.output)\(run.errors)")
        }
    }

    @Test("lexgrog finds the name of every page", .enabled(if: isInstalled("lexgrog")))
    func names() throws {
        try WorkingFolder.with { folder in
            let run = try Command.shell("\(Self.line) && lexgrog man/*/*", in: folder)
            #expect(run.code == 0, "\(run.output)\(run.errors)")
            #expect(run.output.contains("thimble-batch - process"))
        }
    }
}
