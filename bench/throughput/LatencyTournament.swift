import BenchmarkMeasuring
import Foundation
import PageCache

/// Measures `thimble stage`, cold, new and warm, and `vipsthumbnail` on one picture.
struct LatencyTournament {
    let picture: BenchmarkPicture
    /// Width of the renditions and quality.
    let task: BenchmarkTask
    let thimble: URL
    /// Folder for the output.
    let scratch: URL

    /// Runs all in turn, after a warm-up round.
    func run(rounds: Int) throws -> LatencyMeasurements {
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        let warm = try StageConversation(
            thimble, container: scratch.appending(path: "warm"), in: scratch)
        var times: (new: [Double], warm: [Double], restarts: [Double], peer: [Double]) =
            ([], [], [], [])
        let marked = try withRestarts()
        for round in 0...rounds {
            // The same picture in different bytes, because identical bytes are not processed again.
            let copy = scratch.appending(path: "\(round).jpg")
            try picture.url.copied(to: copy, remark: "round \(round)")
            let new = try answer(of: copy, "new-\(round)")
            let peer = try thumbnail(of: copy)
            let other = scratch.appending(path: "\(round)-warm.jpg")
            try picture.url.copied(to: other, remark: "round \(round), warm")
            let answered = try warm.answer(to: payload(other, "\(round)"))
            let third = scratch.appending(path: "\(round)-restarts.jpg")
            try marked.copied(to: third, remark: "round \(round), restarts")
            let shared = try warm.answer(to: payload(third, "\(round)-restarts"))
            // The first round fills the file cache and starts the worker.
            guard round > 0 else { continue }
            times.new.append(new)
            times.warm.append(answered)
            times.restarts.append(shared)
            times.peer.append(peer)
        }
        try warm.end()
        return LatencyMeasurements(
            rounds: rounds, readAhead: DiskReadAhead(ofDiskOf: thimble.path)?.kilobytes,
            cold: try cold(rounds: rounds), new: .init(times.new), warm: .init(times.warm),
            restarts: .init(times.restarts), vipsthumbnail: .init(times.peer),
            newRatio: .init(zip(times.new, times.peer).map(/)),
            warmRatio: .init(zip(times.warm, times.peer).map(/)),
            restartsRatio: .init(zip(times.restarts, times.peer).map(/)))
    }

    /// The picture with a restart marker before each row of units.
    private func withRestarts() throws -> URL {
        let url = scratch.appending(path: "restarts.jpg")
        try ChildProcess(
            "jpegtran", "-restart", "1", "-copy", "all", "-outfile", url.path, picture.url.path
        ).run()
        return url
    }

    /// Runs both with an empty page cache, after all other rounds, because it takes time to fill
    /// again; nil if this process may not drop it.
    private func cold(rounds: Int) throws -> LatencyMeasurements.Cold? {
        guard PageCache.isDroppable else { return nil }
        var (times, peer): ([Double], [Double]) = ([], [])
        for round in 1...rounds {
            let copy = scratch.appending(path: "\(round).jpg")
            try PageCache.drop()
            times.append(try answer(of: copy, "cold-\(round)"))
            try PageCache.drop()
            peer.append(try thumbnail(of: copy))
        }
        return .init(times: times, peer: peer)
    }

    /// A new process in a new container, from its start to its answer, in milliseconds.
    private func answer(of picture: URL, _ name: String) throws -> Double {
        let container = scratch.appending(path: name)
        let start = ContinuousClock.now
        let conversation = try StageConversation(thimble, container: container, in: scratch)
        _ = try conversation.answer(to: payload(picture, name))
        let time = start.duration(to: .now) / .milliseconds(1)
        try conversation.end()
        return time
    }

    private func thumbnail(of picture: URL) throws -> Double {
        let command = ChildProcess(
            "vipsthumbnail", "-s", "\(task.width)x", "-o",
            scratch.path + "/peer.jpg[Q=\(task.quality),strip]", picture.path)
        let start = ContinuousClock.now
        try command.run()
        return start.duration(to: .now) / .milliseconds(1)
    }

    private func payload(_ picture: URL, _ title: String) -> String {
        #"{"aps":{"alert":"\#(title)","mutable-content":1},"attachment":"\#(picture.path)"}"#
    }
}

extension URL {
    /// Copies the JPEG with a comment after its first marker (ITU-T T.81, B.2.4.5).
    fileprivate func copied(to copy: URL, remark: String) throws {
        let bytes = try Data(contentsOf: self)
        let text = Data(remark.utf8)
        let length = UInt16(text.count + 2)
        let segment = Data([0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 0xFF)]) + text
        try (bytes.prefix(2) + segment + bytes.dropFirst(2)).write(to: copy)
    }
}
