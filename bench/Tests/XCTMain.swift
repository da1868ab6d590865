import Dispatch
import Testing

/// Runs the tests with Swift Testing; there are none of XCTest.
///
/// SwiftPM's own entry point would search an index for those, and writing an index takes a fifth of
/// the compiler's time.
@main struct TestRunner {
    // Not async, because the linker would then confuse it with that of the tested command.
    static func main() {
        // `swift test` also starts the program for XCTest, to list its tests and to run them.
        guard CommandLine.arguments.contains("swift-testing") else {
            if CommandLine.arguments.contains("--dump-tests-json") { print(#"{"tests":[]}"#) }
            return
        }
        Task { await Testing.__swiftPMEntryPoint() as Never }
        dispatchMain()
    }
}
