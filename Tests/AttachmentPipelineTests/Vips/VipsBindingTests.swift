import AttachmentContainer
@testable import AttachmentPipeline
@testable import AttachmentVips
import Foundation
import Testing

@Suite("libvips binding", .timeLimit(.minutes(1)))
struct VipsBindingTests {
    private let gradient = VipsFixture.gradient(PixelSize(width: 64, height: 48))

    @Test("Each allowed loader opens the bytes of its format", arguments: VipsLoader.allCases)
    func allowedLoaders(loader: VipsLoader) throws {
        try TemporaryFolder.with { folder in
            let file = folder.appending(path: "picture")
            try gradient.write(to: file, with: loader.saver)
            let opened = try VipsFixture.open(file, with: loader)
            #expect(opened.size == gradient.size)
        }
    }

    @Test("Loaders that attachments do not need are blocked")
    func blockedLoaders() throws {
        try TemporaryFolder.with { folder in
            let file = folder.appending(path: "picture.svg")
            try Data("<svg xmlns='http://www.w3.org/2000/svg' width='4' height='4'/>".utf8)
                .write(to: file)
            let handle = try FileHandle(forReadingFrom: file)
            for name in ["svgload_source", "ppmload_source", "jxlload_source", "vipsload_source"] {
                let input = try VipsInput(descriptor: handle.fileDescriptor)
                let error = #expect(throws: VipsError.self) {
                    try VipsCall(name, ["source": .input(input)])
                }
                #expect(error?.message.contains("blocked") == true, "\(name)")
            }
        }
    }

    @Test("A failure has libvips' message once, and the next failure has only its own")
    func errors() throws {
        let first = #expect(throws: VipsError.self) {
            try gradient.applying(
                "extract_area",
                ["left": .int(0), "top": .int(0), "width": .int(99), "height": .int(1)],
                input: "input")
        }
        #expect(first?.operation == "extract_area")
        #expect(first?.message.contains("bad extract area") == true)
        let second = #expect(throws: VipsError.self) { try gradient.applying("no-such-thing") }
        #expect(second?.message.contains("extract") == false)
    }

    @Test("An unknown argument is refused")
    func unknownArgument() {
        let error = #expect(throws: VipsError.self) {
            try gradient.applying("resize", ["scale": .double(0.5), "colour": .int(1)])
        }
        #expect(error?.message == "has no argument 'colour'")
    }

    @Test("Progress is reported, and returning false stops the computation")
    func progress() throws {
        // Enough rows for the progress thread to run on any machine.
        let picture = try VipsFixture.gradient(PixelSize(width: 500, height: 400))
            .applying("replicate", ["across": .int(1), "down": .int(2000)])
        let last = Lock(0.0)
        picture.onProgress { share in
            last.withLock { $0 = share }
            return share < 0.01
        }
        var rows = 0
        #expect(throws: VipsError.self) { try picture.forEachRow { _ in rows += 1 } }
        #expect(0.01..<1 ~= last.withLock { $0 })
        #expect(rows > 0 && rows < picture.size.height)
    }
}
