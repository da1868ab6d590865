import ArgumentParser
import Foundation

extension ParsableCommand {
    static var program: URL {
        #if os(Linux)
            let path = "/proc/self/exe"
        #else
            let path = CommandLine.arguments.first ?? ""
        #endif
        return URL(fileURLWithPath: path).resolvingSymlinksInPath()
    }
}
