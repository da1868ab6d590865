import AttachmentContainer
import Foundation

// Runs libFuzzer on one parser until it traps or the time is over.
//
//     fuzz list                                   lists the parsers
//     fuzz seeds NAME FOLDER                      writes seed inputs of Thimble's own formats
//     fuzz --parser=NAME [arguments of libFuzzer] fuzzes one parser
//
// libFuzzer provides the main function and calls these two functions.

/// The parser of this process.
///
/// Global, because libFuzzer calls C functions without context.
private let chosen = Lock<FuzzTarget?>(nil)

/// Selects the parser before the first input.
@_cdecl("LLVMFuzzerInitialize")
func prepareToFuzz(
    _: UnsafeMutablePointer<CInt>, _: UnsafeMutablePointer<UnsafeMutablePointer<CChar>>
) -> CInt {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "list":
        for target in FuzzTarget.all { print(target.name) }
        exit(0)
    case "seeds":
        writeSeeds(arguments.dropFirst())
        exit(0)
    default:
        // libFuzzer starts child processes and passes on arguments with two hyphens unchanged.
        let name = arguments.first { $0.hasPrefix("--parser=") }?.dropFirst("--parser=".count)
        guard let target = FuzzTarget.named(String(name ?? "")) else {
            exit(complaint: "choose a parser with --parser=NAME; fuzz list lists them")
        }
        makeTables(of: target)
        chosen.withLock { $0 = target }
        return 0
    }
}

/// Parses the seeds once, so that tables that are made at first use do not count as leaks of an input.
private func makeTables(of target: FuzzTarget) {
    ignoreLeaks()
    for seed in [[]] + target.seeds() { target.read(FuzzInput(seed)) }
    countLeaks()
}

// lsan_interface.h of the sanitizers.
@_silgen_name("__lsan_disable") private func ignoreLeaks()
@_silgen_name("__lsan_enable") private func countLeaks()

/// Parses one input.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = FuzzInput([UInt8](UnsafeBufferPointer(start: data, count: count)))
    chosen.withLock { $0 }?.read(input)
    return 0
}

private func writeSeeds(_ arguments: ArraySlice<String>) {
    guard arguments.count == 2, let name = arguments.first, let folder = arguments.last,
        let target = FuzzTarget.named(name)
    else { exit(complaint: "fuzz seeds NAME FOLDER") }
    let place = URL(fileURLWithPath: folder, isDirectory: true)
    for (number, seed) in target.seeds().enumerated() {
        do {
            try Data(seed).write(to: place.appending(path: "\(name)-\(number)"))
        } catch {
            exit(complaint: "\(folder) cannot be written to: \(error)")
        }
    }
}

private func exit(complaint: String) -> Never {
    FileHandle.standardError.write(Data("fuzz: \(complaint)\n".utf8))
    exit(64)
}
