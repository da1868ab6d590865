import Foundation

/// A shell in a temporary folder, with the built programs and an S3 server that fails on request.
///
/// The script finds the server's port in `PORT` and its requests in the file `log`. `stop` stops it,
/// `serve [CERTIFICATE KEY]` starts it again, and `faults JSON` sets its faults. `stage` publishes to
/// it, or to `ENDPOINT` if that is set. `TESTS` is the folder of these tests.
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
        process.arguments = ["-c", Self.prelude + script + "\nstop\n"]
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
        TESTS=\(tests.path)
        serve() {
            rm -f server-input log; mkfifo server-input
            /usr/bin/python3 $TESTS/s3_stub.py objects ${PORT:-0} "$@" <server-input >log 2>stub-errors &
            SERVER=$!
            exec 9>server-input
            until [ -s log ]; do sleep 0.02; done
            PORT=$(head -n 1 log)
        }
        stop() { exec 9>&-; wait $SERVER; }
        faults() {
            /usr/bin/python3 -c "import sys, urllib.request
        urllib.request.urlopen('http://127.0.0.1:$PORT/_faults', sys.argv[1].encode())" "$1"
        }
        OPTIONS=(--container C --allow-root Images --publish s3://renditions/p)
        stage() {
            thimble stage "${OPTIONS[@]}" --s3-region us-east-1 \\
                --s3-endpoint ${ENDPOINT:-http://127.0.0.1:$PORT} "$@"
        }
        payload() { echo '{"aps":{"alert":"x"},"attachment":"Images/'$1'"}'; }
        # Statuses of all URLs that the payloads of a file name, at the server or in a folder.
        statuses() { /usr/bin/python3 $TESTS/statuses.py ${2:-$PORT} <$1; }
        serve

        """
}
