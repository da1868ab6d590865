import ArgumentParser
import Foundation

extension ParsableCommand {
    /// The running program.
    static var program: URL {
        #if os(Linux)
            let path = "/proc/self/exe"
        #else
            let path = CommandLine.arguments.first ?? ""
        #endif
        return URL(fileURLWithPath: path).resolvingSymlinksInPath()
    }
}
