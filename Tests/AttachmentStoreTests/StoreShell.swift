import Foundation

/// A shell in a temporary folder, with the built programs and an S3 server that fails on request.
///
/// The script finds the server's port in `PORT` and its requests in the file `log`; `exec 9>&-` stops
/// it, `serve` starts it again, and `faults JSON` sets its faults. `stage` publishes to it.
struct StoreShell {
    let output: String
    let code: Int32

    private static let products = URL(fileURLWithPath: CommandLine.arguments[0])
        .resolvingSymlinksInPath().deletingLastPathComponent()
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// Runs a script; its output has standard error too.
    init(_ script: String) throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "store-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let images = Self.tests.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Images")
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "Images"), withDestinationURL: images)
        let log = folder.appending(path: "output")
        try Data().write(to: log)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", Self.prelude + script + "\nexec 9>&-\n"]
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: log)
        process.standardError = process.standardOutput
        process.environment = [
            "PATH": "\(Self.products.path):/usr/bin:/bin", "HOME": folder.path,
            "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
        ]
        try process.run()
        process.waitUntilExit()
        output = try String(contentsOf: log, encoding: .utf8)
        code = process.terminationStatus
    }

    private static let prelude = """
        serve() {
            rm -f in log; mkfifo in
            /usr/bin/python3 \(tests.path)/s3_stub.py objects $PORT <in >log &
            exec 9>in
            until [ -s log ]; do sleep 0.02; done
            PORT=$(head -n 1 log)
        }
        faults() {
            /usr/bin/python3 -c "import sys, urllib.request
        urllib.request.urlopen('http://127.0.0.1:$PORT/_faults', sys.argv[1].encode())" "$1"
        }
        stage() {
            thimble stage --container C --allow-root Images --publish s3://renditions/p \\
                --s3-endpoint http://127.0.0.1:$PORT --s3-region us-east-1 "$@"
        }
        payload() { echo '{"aps":{"alert":"x"},"attachment":"Images/'$1'"}'; }
        # Statuses of all URLs that the payloads in a file name.
        statuses() {
            grep -o 'http://127[^"]*' $1 | sort -u | while read -r url; do
                /usr/bin/python3 -c "import sys, urllib.request
        print('status', urllib.request.urlopen(sys.argv[1]).status)" "$url"
            done
        }
        serve

        """
}
