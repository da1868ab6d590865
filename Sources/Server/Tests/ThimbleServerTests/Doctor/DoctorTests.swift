import Foundation
import Testing

@Suite("thimble-server doctor", .serialized, .timeLimit(.minutes(2)))
struct DoctorTests {
    @Test("A machine in order has no failure, and the checks leave nothing behind")
    func inOrder() throws {
        try CheckupFolder.with { folder throws in
            let checkup = try folder.check()
            #expect(checkup.code == 0 && checkup.status != "failed")
            for part in [
                "container", "tokens", "worker", "authorities", "fetch", "sandbox", "store",
                "broker",
                "port", "operations-port", "clock",
            ] { #expect(checkup.isOK(part), "\(checkup[part])") }
            #expect(checkup["worker"].map { $0.found.prefix(18) }.count == 2)
            #expect(checkup["sandbox"].count == 3)
        }
    }

    @Test("Each check is one line with status, part, finding and remedy")
    func lines() throws {
        try CheckupFolder.with { folder throws in
            let run = try Program.run(
                [
                    "doctor", "--container", folder.container.path, "--port", "0",
                    "--operations-port", "0", "--enforce", "monitor",
                ], environment: folder.environment)
            #expect(run.code == 0)
            let lines = run.output.split(separator: "\n")
            #expect(lines.count >= 16)
            for line in lines {
                #expect(["ok      ", "warning ", "failed  "].contains { line.hasPrefix($0) })
            }
            #expect(
                lines.contains(
                    "warning  cap              monitor enforces 24 MiB, and misses short peaks; "
                        + "choose --enforce auto"))
        }
    }

    @Test("Invalid options exit with 78 and name field, value and range")
    func invalidOptions() throws {
        try CheckupFolder.with { folder throws in
            let checkup = try folder.check("--max-queue", "0")
            #expect(checkup.code == 78)
            #expect(checkup.fails("options", remedy: "max-queue must be from 1 to 100000"))
            let headers = try folder.write(
                #"{"a.example":{"Authorization":"x"}}"#, to: "headers", mode: 0o644)
            let open = try folder.check("--fetch-headers", headers)
            #expect(open.code == 78)
            #expect(
                open.fails("options", remedy: "fetch-headers must be in a file that only its owner")
            )
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: headers)
            let mended = try folder.check("--fetch-headers", headers)
            #expect(mended.code == 0 && mended.isOK("fetch-headers"))
        }
    }

    @Test("A container must be a folder that can be written, with room for the queue")
    func container() throws {
        try CheckupFolder.with { folder throws in
            let path = try folder.write("", to: "container")
            #expect(try folder.check().fails("container", remedy: "give the path of a folder"))
            try FileManager.default.removeItem(atPath: path)
            #expect(try folder.check().isOK("container"))
            try FileManager.default.createDirectory(
                at: folder.container, withIntermediateDirectories: true)
            #expect(try folder.check().isOK("container"))
            let server = try TestServer([])
            defer { server.end() }
            let full = try folder.check(
                "--container", server.container.path, "--max-queue-bytes", "1000000000000")
            #expect(full.warns("container", remedy: "free some space") && full.code == 0)
            #expect(try folder.check("--container", server.container.path).isOK("container"))
        }
    }

    @Test("Tokens must be long, and for their owner alone; without them the address is local")
    func tokens() throws {
        try CheckupFolder.with { folder throws in
            let token = String(repeating: "0123456789abcdef", count: 2)
            let path = try folder.write(token, to: "tokens", mode: 0o644)
            let check = { (remedy: String) in
                try folder.check("--tokens", path).fails("tokens", remedy: remedy)
            }
            #expect(try check("set it to 600 or 640"))
            _ = try folder.write("", to: "tokens")
            #expect(try check("add one per line"))
            _ = try folder.write("short", to: "tokens")
            #expect(try check("openssl rand -hex 32"))
            try FileManager.default.removeItem(atPath: path)
            #expect(try check("check its path and owner"))
            _ = try folder.write(token, to: "tokens")
            let mended = try folder.check("--tokens", path)
            #expect(mended.isOK("tokens") && !mended["tokens"][0].found.contains(token))
            #expect(try folder.check("--host", "0.0.0.0").warns("tokens", remedy: "--tokens"))
        }
    }

    @Test("Allowed folders must exist, be folders, and not have the container in them")
    func roots() throws {
        try CheckupFolder.with { folder throws in
            let root = folder.url.appending(path: "pictures")
            let check = { try folder.check("--allow-root", root.path) }
            #expect(try check().fails("allow-root", remedy: "create the folder"))
            try Data().write(to: root)
            #expect(try check().fails("allow-root", remedy: "name the folder of the files"))
            try FileManager.default.removeItem(at: root)
            try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
            #expect(try check().isOK("allow-root"))
            let wide = try folder.check("--allow-root", folder.url.path)
            #expect(wide.warns("allow-root", remedy: "allow only the folder of the attachments"))
        }
    }

    @Test("Profiles must be those of content extensions")
    func profiles() throws {
        try CheckupFolder.with { folder throws in
            let path = try folder.write("not a property list", to: "Info.plist")
            let checkup = try folder.check("--profile", path)
            #expect(checkup.code == 1 && checkup.fails("profile", remedy: "plutil -lint"))
        }
    }

    @Test("Workers process a picture under the cap, which must be enforced and fit the memory")
    func caps() throws {
        try CheckupFolder.with { folder throws in
            let small = try folder.check("--cap", "3MiB")
            #expect(small.fails("worker", remedy: "raise the cap") && small.code == 1)
            #expect(try folder.check("--cap", "24MiB").isOK("worker"))
            #expect(try folder.check("--enforce", "monitor").warns("cap", remedy: "--enforce auto"))
            #expect(try folder.check("--enforce", "rlimit").isOK("cap"))
            let large = try folder.check("--jobs", "1024", "--cap", "4GiB")
            #expect(large.warns("memory", remedy: "lower --jobs or --cap"))
            #expect(try folder.check("--jobs", "1").isOK("memory"))
        }
    }

    @Test("Processes without a sandbox are named")
    func sandboxes() throws {
        try CheckupFolder.with { folder throws in
            let off = try folder.check("--sandbox", "off")
            #expect(off["sandbox"].count == 3 && off.code == 0)
            #expect(off["sandbox"].allSatisfy { $0.remedy == "choose --sandbox auto or require" })
            #expect(try folder.check("--sandbox", "require").isOK("sandbox"))
        }
    }

    @Test(
        "Authorities must be a readable file of certificates, with which the transfer process starts"
    )
    func authorities() throws {
        try CheckupFolder.with { folder throws in
            let path = folder.url.appending(path: "authorities.pem").path
            let check = { try folder.check("--ca-file", path) }
            let missing = try check()
            #expect(missing.fails("authorities", remedy: "check its path and permissions"))
            #expect(missing.fails("fetch", remedy: "--ca-file"))
            _ = try folder.write("no certificate", to: "authorities.pem")
            #expect(try check().fails("authorities", remedy: "in PEM"))
            let system = try String(
                contentsOfFile: "/etc/ssl/certs/ca-certificates.crt", encoding: .utf8)
            _ = try folder.write(system, to: "authorities.pem")
            let mended = try check()
            #expect(mended.isOK("authorities") && mended.isOK("fetch"))
            #expect(try folder.check("--no-fetch")["fetch"].first?.found == "turned off")
        }
    }

    @Test("Missing programs are named, and a clock before the program's own file")
    func installation() throws {
        try CheckupFolder.with { folder throws in
            let program = folder.url.appending(path: "thimble-server")
            let files = FileManager.default
            try files.copyItem(
                at: TestServer.products.appending(path: "thimble-server"), to: program)
            let missing = try folder.check(program: program)
            let remedy = "put thimble-worker, thimble-row-worker and thimble-transfer"
            #expect(missing.fails("worker", remedy: remedy))
            #expect(missing.fails("fetch", remedy: remedy))
            for name in ["thimble-worker", "thimble-transfer"] {
                try files.createSymbolicLink(
                    at: folder.url.appending(path: name),
                    withDestinationURL: TestServer.products.appending(path: name))
            }
            let partial = try folder.check(program: program)
            #expect(partial.warns("worker", remedy: "install thimble-row-worker"))
            #expect(partial.code == 0 && partial.isOK("fetch") && partial.isOK("clock"))
            try files.createSymbolicLink(
                at: folder.url.appending(path: "thimble-row-worker"),
                withDestinationURL: TestServer.products.appending(path: "thimble-row-worker"))
            try files.setAttributes(
                [.modificationDate: Date() + 2 * 86_400], ofItemAtPath: program.path)
            let early = try folder.check(program: program)
            #expect(early.isOK("worker") && early.fails("clock", remedy: "set the clock"))
        }
    }

    @Test("Ports in use are named, and those of a service that runs are no failure")
    func ports() throws {
        try CheckupFolder.with { folder throws in
            let listener = try Listener()
            let check = { try folder.check("--port", "\(listener.port)") }
            #expect(try check().fails("port", remedy: "choose another --port"))
            listener.close()
            #expect(try check().isOK("port"))
            #expect(
                try folder.check("--operations-host", "192.0.2.1")
                    .fails("operations-port", remedy: "name an address of this machine"))
            let server = try TestServer([])
            defer { server.end() }
            let running = try folder.check(
                "--port", "\(server.port)", "--operations-port", "\(server.operationsPort)")
            #expect(running.code == 0)
            #expect(running.warns("port", remedy: "end it before"))
            #expect(running.warns("operations-port", remedy: "end it before"))
        }
    }
}
