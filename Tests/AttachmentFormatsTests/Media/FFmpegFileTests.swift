import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import Testing

/// Compares the probe with files of an independent encoder.
@Suite(
    "The probe reads files written by ffmpeg",
    .enabled(if: FFmpeg.path != nil, "ffmpeg is not installed"), .timeLimit(.minutes(2)))
struct FFmpegFileTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let options: [String]
        /// Nil for unsupported types.
        let type: MediaType?

        init(_ name: String, _ options: String, _ type: MediaType?) {
            self.name = name
            self.options = options.split(separator: " ").map(String.init)
            self.type = type
        }

        var testDescription: String { "\(name) \(options.joined(separator: " "))" }
    }

    @Test(
        "Type, length and size match the request",
        arguments: [
            Sample("a.mp4", "-c:v mpeg4 -c:a aac", .mpeg4),
            Sample("a.mp4", "-c:v mpeg4 -c:a aac -movflags +faststart", .mpeg4),
            Sample("a.mp4", "-c:v mpeg4 -an -movflags +frag_keyframe", .mpeg4),
            Sample("a.mp4", "-vn -c:a aac", .mpeg4Audio),
            Sample("a.m4a", "-vn -c:a aac", .mpeg4Audio),
            Sample("a.mov", "-c:v mpeg4 -c:a aac", .mpeg4),
            Sample("a.mov", "-c:v prores", .mpeg4),
            Sample("a.avi", "-c:v mpeg4 -c:a mp2", .avi),
            Sample("a.avi", "-c:v mjpeg -c:a pcm_s16le", .avi),
            Sample("a.mpg", "-c:v mpeg1video -c:a mp2", .mpeg),
            Sample("a.mpg", "-f vob -c:v mpeg2video -c:a mp2", .mpeg),
            Sample("a.m1v", "-c:v mpeg1video -an", .mpeg),
            Sample("a.m2v", "-c:v mpeg2video -an", .mpeg2Video),
            Sample("a.wav", "-vn", .wav), Sample("a.wav", "-vn -c:a adpcm_ms", .wav),
            Sample("a.aiff", "-vn", .aiff), Sample("a.mp3", "-vn", .mp3),
            Sample("a.mp3", "-vn -write_xing 0 -id3v2_version 0", .mp3),
            Sample("a.mp3", "-vn -ar 22050 -b:a 32k -write_id3v1 1", .mp3),
            Sample("a.flac", "-vn", nil), Sample("a.mkv", "-c:v mpeg4", nil),
            Sample("a.ts", "-c:v mpeg2video", nil), Sample("a.aac", "-vn -c:a aac", nil),
            Sample("a.mp2", "-vn", nil), Sample("a.caf", "-vn", nil),
        ])
    func written(sample: Sample) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: sample.name).path
        try FFmpeg.run(
            ["-f", "lavfi", "-i", "testsrc2=s=160x120:d=2:r=25", "-f", "lavfi", "-i", "sine=d=2"]
                + sample.options + [file])
        guard let type = sample.type else {
            let error = #expect(throws: AttachmentError.self) {
                try Probe().attachment(AttachmentFile(path: file))
            }
            #expect(error?.code == .unsupported)
            return
        }
        guard case .media(let header) = try Probe().attachment(AttachmentFile(path: file)) else {
            throw NoMedia()
        }
        #expect(header.type == type && !header.endsEarly)
        #expect((header.obstacle != nil) == sample.options.contains("prores"))
        #expect(header.size == (type.kind == .movie ? PixelSize(width: 160, height: 120) : nil))
        // Elementary video, and fragments written on the fly, do not state a duration.
        if header.format == .mpegVideo || sample.options.contains("+frag_keyframe") {
            #expect(header.duration == nil)
        } else {
            // Audio encoders begin and end with a frame or two of silence.
            let duration = try #require(header.duration)
            #expect((1.9...2.15).contains(duration), "\(duration) s")
        }
    }
}

/// The ffmpeg encoder, if installed.
enum FFmpeg {
    static let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/ffmpeg" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    static func run(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path ?? "")
        process.arguments = ["-nostdin", "-v", "error", "-y"] + arguments
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
