import Foundation
import Testing

@testable import thimble

@Suite("Peers", .timeLimit(.minutes(1)))
struct PeerListTests {
    private let bench = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "bench")

    private func fault(of json: String) -> String {
        do throws(BenchmarkError) {
            _ = try PeerList(json: Data(json.utf8), file: "peers.json")
            return "none"
        } catch {
            return error.description
        }
    }

    private func peer(_ fields: String) -> String {
        #"{"peers": [{"name": "good", "summary": "", "version": ["v"], "#
            + #""command": ["a", "{input}", "{output}"]}, {"name": "bad", \#(fields)}]}"#
    }

    @Test("The package's own file is valid, and thimble is first")
    func packaged() throws {
        let list = try PeerList(contentsOf: bench.appending(path: "peers/peers.json"))
        #expect(list.peers.first?.name == "thimble")
        #expect(list.peers.count >= 10)
        #expect(try list.choosing(["none"]).map(\.name) == ["thimble"])
        #expect(try list.choosing(["pillow"]).map(\.name) == ["thimble", "Pillow"])
        #expect(throws: BenchmarkError.self) { try list.choosing(["paint"]) }
        var values = Peer.Values()
        values.input = "in.jpg"
        for peer in list.peers {
            let words = try peer.filled(peer.command, with: values)
            #expect(words.contains { $0.contains("in.jpg") })
            #expect(!words.contains { $0.contains("{") })
        }
    }

    @Test(
        "Errors name file, peer and field",
        arguments: [
            (#""summary": "", "command": ["x", "{input}", "{output}"]"#, "version is missing"),
            (#""summary": 3, "version": ["v"], "command": ["x"]"#, "summary is of the wrong type"),
            (#""summary": "", "version": ["v"], "command": ["x", "{input}"]"#, "no {output}"),
            (#""summary": "", "version": ["v"], "command": []"#, "command is empty"),
            (
                #""summary": "", "version": ["v"], "limitsItself": true, "#
                    + #""command": ["x", "{input}", "{output}"]"#, "planningCap"
            ),
        ])
    func faults(fields: String, reason: String) {
        let fault = fault(of: peer(fields))
        #expect(fault.contains("peers.json: peer bad: "))
        #expect(fault.contains(reason))
    }

    @Test("Duplicate names and invalid JSON are errors")
    func duplicates() {
        let twice = fault(
            of: peer(#""summary": "", "version": ["v"], "command": ["x", "{input}", "{output}"]"#)
                .replacing("bad", with: "good"))
        #expect(twice.contains("same name"))
        #expect(fault(of: "{").hasPrefix("peers.json: "))
    }

    @Test("An unknown placeholder is an error")
    func placeholder() throws {
        let fields = #""summary": "", "version": ["v"], "command": ["{input}{output}{x}"]"#
        let list = try PeerList(json: Data(peer(fields).utf8), file: "")
        let error = #expect(throws: BenchmarkError.self) {
            try list.peers[1].filled(list.peers[1].command, with: Peer.Values())
        }
        #expect(error?.description.contains("peer bad: unknown placeholder {x}") == true)
    }
}
