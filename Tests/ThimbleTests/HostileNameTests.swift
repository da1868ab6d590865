import Foundation
import Testing

@Suite("File names with terminal control characters", .timeLimit(.minutes(5)))
struct HostileNameTests {
    private struct File: Decodable { let file, outcome: String }

    private struct Summary: Decodable {}

    /// Creates pictures with names of invalid UTF-8, line feeds, escapes and look-alikes.
    private static let fill = #"""
        mkdir In && for name in $'\xff.jpg' '%FF.jpg' $'a\nb.jpg' $'\e[31mred.jpg' \
            $'\u202egpj.exe.jpg' $'\u009b2J.jpg' $'d\xe9/100%.jpg'
        do mkdir -p "In/$(dirname "$name")"; cp Images/still-life-ready.jpg "In/$name"; done
        cp Images/letter.jpg $'In/\e]0;title\a.jpg'
        """#

    private static let identifiers: Set = [
        "./%FF.jpg", "%FF.jpg", "a\nb.jpg", "\u{1B}[31mred.jpg", "\u{202E}gpj.exe.jpg",
        "\u{9B}2J.jpg", "./d%E9/100%25.jpg",
    ]

    /// Control characters in some output.
    private func controls(in text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter {
            $0 != "\n" && ($0.properties.generalCategory == .control || $0 == "\u{202E}")
        }
    }

    @Test("All files are processed, and all names are escaped")
    func batch() throws {
        try WorkingFolder.with { folder in
            #expect(try Command.shell(Self.fill, in: folder).code == 0)
            let json = try Command.shell(
                "thimble batch In --container C --report json", in: folder)
            #expect(json.code == 3, "\(json.errors)")
            let report = try BatchOutput<File, Summary>(json.output)
            let done = report.files.filter { $0.outcome != "failed" }.map(\.file)
            #expect(Set(done) == Self.identifiers && done.count == Self.identifiers.count)
            #expect(report.files.count == done.count + 1)

            let text = try Command.shell("thimble batch In --container C", in: folder)
            let list = try Command.thimble("container", "list", "--container", "C", in: folder)
            for run in [json, text, list] {
                #expect(controls(in: run.output + run.errors) == [], "\(run.output)")
            }
            #expect(text.output.contains(#"\u001b]0;title\u0007.jpg: "#))
            #expect(list.output.contains("\na\\nb.jpg  ") && list.output.contains(#"\u202egpj"#))
            #expect(list.output.split(separator: "\n").count == Self.identifiers.count + 2)
        }
    }

    @Test("Errors, inspect and logs are escaped")
    func others() throws {
        try WorkingFolder.with { folder in
            #expect(try Command.shell(Self.fill, in: folder).code == 0)
            for command in [
                #"thimble inspect In/*red.jpg In/*title*"#,
                #"thimble process In/*title* --id a --container C --log-level trace"#,
                #"thimble container show $'\e[2J' --container C"#,
                #"echo '{"aps":{"category":"\u001b[2J"},"attachment":"a\u001b[2J.jpg"}' | "#
                    + "thimble stage --container C --report json --log-level trace",
            ] {
                let run = try Command.shell(command, in: folder)
                #expect(controls(in: run.output + run.errors) == [], "\(command)")
            }
        }
    }
}
