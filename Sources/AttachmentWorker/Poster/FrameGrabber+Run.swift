import AttachmentContainer
import AttachmentIntake
import AttachmentPlanning
import Foundation
import Subprocess
import SystemPackage

extension FrameGrabber {
    /// The largest file that a frame may be, in bytes: 1320 by 4000 pixels without any compression.
    private static let maximumBytes = 16 << 20
    /// The end of what the program prints that is kept, in bytes.
    private static let keptOutput = 1024

    /// Why there is no frame, in a few words without a full stop.
    struct Failure: Error, Sendable, Hashable {
        let reason: String
    }

    /// How one run ended.
    private enum Ending {
        case frame
        case nothing
        case overCap
        case late
        case failed(String)
    }

    /// Takes a frame of a movie.
    ///
    /// When the task is cancelled, or the deadline passes, the program is killed at once.
    ///
    /// - Parameters:
    ///   - movie: What the file is.
    ///   - file: The movie.
    ///   - target: Where the frame goes, as PNG: an empty file, open for writing.
    ///   - cap: What the program is kept under.
    ///   - deadline: When it must be done.
    /// - Throws: `Failure` with the reason for the manifest.
    func grab(
        _ movie: Movie, from file: AttachmentFile, to target: CInt, under cap: HardCap,
        until deadline: ContinuousClock.Instant
    ) async throws(Failure) {
        var choice = Choice.telling
        while true {
            switch (await run(movie, choice, file, target, cap, deadline), choice) {
            case (.frame, _): return
            case (.overCap, .telling), (.nothing, .telling): choice = .key
            case (.overCap, .key), (.overCap, .first): choice = .small
            case (.nothing, .key): choice = .first
            case (.overCap, _):
                throw Failure(reason: "ffmpeg takes more than the cap of \(cap.cap)")
            case (.nothing, _): throw Failure(reason: "ffmpeg found none")
            case (.late, _): throw Failure(reason: "ffmpeg took too long")
            case (.failed(let reason), _): throw Failure(reason: "ffmpeg: \(reason)")
            }
        }
    }

    /// Runs the program once.
    private func run(
        _ movie: Movie, _ choice: Choice, _ file: AttachmentFile, _ target: CInt, _ cap: HardCap,
        _ deadline: ContinuousClock.Instant
    ) async -> Ending {
        // What an earlier run left.
        guard ftruncate(target, 0) == 0, lseek(target, 0, SEEK_SET) == 0 else {
            return .failed("its output cannot be emptied")
        }
        let group: ControlGroup?
        do {
            group = try cap.makeGroup()
        } catch {
            return .failed(error.reason)
        }
        defer { group?.remove() }
        let printed = Tail(limit: Self.keptOutput)
        do {
            let result = try await Subprocess.run(
                command(arguments(for: movie, choice), in: group),
                input: .fileDescriptor(
                    FileDescriptor(rawValue: file.descriptor), closeAfterSpawningProcess: false),
                output: .fileDescriptor(
                    FileDescriptor(rawValue: target), closeAfterSpawningProcess: false),
                error: .sequence
            ) { execution in
                let process = execution.processIdentifier.value
                let watch =
                    group == nil ? FootprintWatch(of: process, limit: cap.cap.footprint) : nil
                defer { watch?.end() }
                let isLate = await withTaskGroup { tasks in
                    tasks.addTask {
                        // Ends early when the work is withdrawn.
                        try? await Task.sleep(until: deadline, clock: .continuous)
                        return true
                    }
                    tasks.addTask {
                        await printed.collect(execution.standardError)
                        return false
                    }
                    let isLate = await tasks.next() ?? false
                    // What has closed its standard error has nothing left to do either.
                    try? execution.send(signal: .kill)
                    tasks.cancelAll()
                    return isLate
                }
                return (isLate: isLate, isOver: watch?.hasKilled ?? false)
            }
            if result.closureResult.isLate { return .late }
            if result.closureResult.isOver || (group?.counters.kills ?? 0) > 0 { return .overCap }
            guard case .exited(0) = result.terminationStatus else {
                return .failed(Self.reason(result.terminationStatus, printed.text))
            }
        } catch {
            return Task.isCancelled ? .late : .failed("it cannot be run")
        }
        return lseek(target, 0, SEEK_END) > 0 ? .frame : .nothing
    }

    /// The command line, with limits on what the program may write.
    private func command(_ arguments: [String], in group: ControlGroup?) -> Configuration {
        // In blocks of 512 bytes (POSIX, ulimit); a shell that counts kilobytes allows twice as much.
        let limits = "ulimit -c 0; ulimit -f \(Self.maximumBytes / 512)"
        let words =
            (group?.launchPrefix ?? []) + ["/bin/sh", "-c", limits + #"; exec "$@""#, "sh"]
            + [executable.path] + arguments
        var options = PlatformOptions()
        // Ctrl-C in a terminal goes to the whole group: the supervisor decides for its children.
        options.processGroupID = 0
        return Configuration(
            executable: .path(FilePath(words[0])), arguments: Arguments(Array(words.dropFirst())),
            // Nothing is inherited: FFREPORT, for one, would have it write files.
            environment: .custom(["AV_LOG_FORCE_NOCOLOR": "1"]), platformOptions: options)
    }

    /// What the program says of its failure, as far as a line of a manifest can bear.
    private static func reason(_ status: TerminationStatus, _ printed: String) -> String {
        if case .signaled(let signal) = status { return "it was ended by signal \(signal)" }
        let line = printed.split(separator: "\n").last.map(String.init) ?? "it says nothing"
        return line.replacing("file:/dev/fd/0: ", with: "").printable(200)
    }
}
