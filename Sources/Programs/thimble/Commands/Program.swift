import ArgumentParser
import Foundation
import ProgramLaunch

extension ParsableCommand {
    static var program: URL {
        InstalledProgram.running ?? URL(fileURLWithPath: CommandLine.arguments.first ?? "")
    }
}
