import AttachmentContainer
import AttachmentModel
import Foundation
import ProgramLaunch
import Subprocess
import SystemPackage

extension FrameGrabber {
    /// Limit on the frame's file, in bytes: 1320 by 4000 pixels without compression.
    private static let maximumBytes = 16 << 20
    private static let keptOutput = 1024

    struct Failure: Error, Sendable, Hashable {
        let reason: String
    }

    private enum Ending {
        case frame
        case nothing
        case overCap
        case late
        case failed(String)
    }

    func grab(
        _ movie: Movie, from file: AttachmentFile, to target: CInt, under cap: HardCap,
        until deadline: ContinuousClock.Instant
    ) async throws(Failure) {
        var choice = Choice.representative
        while true {
            switch (await run(movie, choice, file, target, cap, deadline), choice) {
            case (.frame, _): return
            case (.overCap, .representative), (.nothing, .representative): choice = .key
            case (.overCap, .key), (.overCap, .first): choice = .small
            case (.nothing, .key): choice = .first
            case (.overCap, _):
                throw Failure(reason: "ffmpeg needs more than the cap of \(cap.cap)")
            case (.nothing, _): throw Failure(reason: "ffmpeg found no frame")
            case (.late, _): throw Failure(reason: "ffmpeg took too long")
            case (.failed(let reason), _): throw Failure(reason: "ffmpeg: \(reason)")
            }
        }
    }

    private func run(
        _ movie: Movie, _ choice: Choice, _ file: AttachmentFile, _ target: CInt, _ cap: HardCap,
        _ deadline: ContinuousClock.Instant
    ) async -> Ending {
        // Discard the output of an earlier run.
        guard ftruncate(target, 0) == 0, lseek(target, 0, SEEK_SET) == 0 else {
            return .failed("its output file cannot be truncated")
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
                        // Returns early when the task is cancelled.
                        try? await Deadline.sleep(until: deadline)
                        return true
                    }
                    tasks.addTask {
                        await printed.collect(execution.standardError)
                        return false
                    }
                    let isLate = await tasks.next() ?? false
                    // A program that has closed standard error is about to exit.
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
            return Task.isCancelled ? .late : .failed("it cannot be started")
        }
        return lseek(target, 0, SEEK_END) > 0 ? .frame : .nothing
    }

    private func command(_ arguments: [String], in group: ControlGroup?) -> Configuration {
        // In blocks of 512 bytes (POSIX ulimit). A shell that counts kilobytes allows twice as
        // much.
        let limits = "ulimit -c 0; ulimit -f \(Self.maximumBytes / 512)"
        let words =
            (group?.launchPrefix ?? []) + Shell.prefix(limits + #"; exec "$@""#)
            + [executable.path] + arguments
        // Inherits nothing: FFREPORT, for example, would make it write log files.
        return Configuration(words, environment: ["AV_LOG_FORCE_NOCOLOR": "1"])
    }

    private static func reason(_ status: TerminationStatus, _ printed: String) -> String {
        if case .signaled(let signal) = status { return "it was killed by signal \(signal)" }
        let line = printed.split(separator: "\n").last.map(String.init) ?? "no message"
        return line.replacing("file:/dev/fd/0: ", with: "").printable(200)
    }
}
