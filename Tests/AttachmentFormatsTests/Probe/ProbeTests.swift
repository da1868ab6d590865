import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import Foundation
import SampleMedia
import Testing

@Suite("Opening files for the probe") struct ProbeTests {
    @Test("A folder, a device and a missing file are unreadable")
    func irregularFiles() throws {
        for path in [NSTemporaryDirectory(), "/dev/zero", "/does/not/exist"] {
            let error = #expect(throws: AttachmentError.self) { try Probe().picture(at: path) }
            #expect(error?.code == .unreadable)
            #expect(error?.file == path)
        }
    }

    @Test("A FIFO without a writer is refused at once", .timeLimit(.minutes(1)))
    func pipe() throws {
        let path = NSTemporaryDirectory() + "thimble-pipe-\(UUID().uuidString)"
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        let error = #expect(throws: AttachmentError.self) { try Probe().picture(at: path) }
        #expect(error?.code == .unreadable)
    }

    @Test("A link to a picture is followed")
    func link() throws {
        let file = ScratchFile(SampleJPEG().bytes)
        defer { file.remove() }
        let link = file.path + "-link"
        try #require(symlink(file.path, link) == 0)
        defer { unlink(link) }
        #expect(try Probe().picture(at: link).format == .jpeg)
    }

    @Test("A file without bytes is empty, not corrupt")
    func empty() {
        #expect(refusal(of: [])?.code == .empty)
    }

    @Test("The file name does not determine the format")
    func misleadingName() throws {
        let file = ScratchFile(SamplePNG().bytes)
        defer { file.remove() }
        let path = file.path + ".jpg"
        try #require(symlink(file.path, path) == 0)
        defer { unlink(path) }
        #expect(try Probe().picture(at: path).format == .png)
    }

    @Test("An open descriptor keeps its offset")
    func offset() throws {
        let file = ScratchFile(SampleJPEG().bytes)
        defer { file.remove() }
        let open = try AttachmentFile(path: file.path)
        lseek(open.descriptor, 7, SEEK_SET)
        guard case .picture(let header) = try Probe().attachment(open) else {
            Issue.record("not a picture")
            return
        }
        #expect(header.fileBytes == ByteCount(SampleJPEG().bytes.count))
        #expect(lseek(open.descriptor, 0, SEEK_CUR) == 7)
    }

    @Test(
        "An unsupported format is reported by name",
        arguments: [
            ("SVG", Array("  <svg xmlns='http://www.w3.org/2000/svg'/>".utf8)),
            ("SVG", Array("<?xml version='1.0'?>\n<!-- a --><SVG/>".utf8)),
            ("HTML", Array("<!DOCTYPE html><p>not found".utf8)),
            ("XML", Array("<?xml version='1.0'?><a/>".utf8)),
            ("text", Array("just a note\n".utf8)),
            ("gzip", [0x1F, 0x8B, 8, 0]),
            ("text", Array("BMW is a maker of cars".utf8)),
            ("an icon", [0, 0, 1, 0, 1, 0]),
            ("PDF", Array("%PDF-1.7".utf8)),
            ("ZIP", Array("PK".utf8) + [3, 4, 0]),
            ("JPEG 2000", [0, 0, 0, 12] + Array("jP  \r\n".utf8) + [0x87, 0x0A]),
            ("no known attachment format", [0, 1, 2, 3, 4, 5]),
        ] as [(String, [UInt8])])
    func foreign(name: String, bytes: [UInt8]) {
        let error = refusal(of: bytes)
        #expect(error?.code == .unsupported)
        #expect(error?.reason.contains(name) == true)
    }

    @Test("An endless header is abandoned after one mebibyte", .timeLimit(.minutes(1)))
    func endlessHeader() {
        let fill = [UInt8](repeating: 0xFF, count: 2 << 20)
        let error = refusal(of: [0xFF, 0xD8] + fill)
        #expect(error?.code == .unsupported)
        #expect(error?.reason.contains("takes more than 1 MB") == true)
    }

    @Test("Every truncation of a header is reported as such")
    func everyCut() {
        let samples = [
            SampleJPEG().bytes, SamplePNG().bytes, SampleGIF().bytes, SampleTIFF.rgb().bytes,
            SampleTIFF.rgb(.big, isBig: true).bytes, SampleHEIF().bytes, SampleBMP().bytes,
            SampleWebP.file(SampleWebP.extended(0) + SampleWebP.lossy()),
        ]
        for sample in samples {
            var refusals = 0
            // The longest signature has twelve bytes; shorter files have an unknown format.
            for length in 12..<sample.count {
                guard let error = refusal(of: Array(sample.prefix(length))) else { continue }
                #expect(error.code == .truncated, "\(error) of \(sample.count)")
                refusals += 1
            }
            #expect(refusals > 0)
            #expect(refusal(of: sample) == nil)
        }
    }
}
