import AttachmentContainer
import AttachmentModel
import Foundation
import Testing

/// What a JPEG XL becomes, beside the picture that it was made from.
@Suite("JPEG XL in a worker", .timeLimit(.minutes(3)))
struct JPEGXLCommandTests {
    private func manifest(
        of name: String, _ options: String = "", in folder: URL
    ) throws -> Manifest? {
        let line =
            "thimble process \(name) --id x --container C-$RANDOM$RANDOM --cap 12MB "
            + "--report json \(options)"
        let run = try Command.shell(line, in: folder)
        try #require(run.code == 0 || run.code == 3, "\(run.errors)")
        return run.code == 0 ? try ProcessOutput.attachment(run.output).manifest : nil
    }

    private func encode(_ name: String, _ options: String, in folder: URL) throws {
        let line = "cjxl '\(Command.package.path)/Images/\(name)' in.jxl \(options)"
        let run = try Command.shell(line, in: folder)
        try #require(run.code == 0, "\(run.errors)")
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name, options: String
        var notes: [String] = []

        var testDescription: String { "\(name) \(options)" }
    }

    @Test(
        "has the size, the colours and the alpha of its source",
        arguments: [
            Case(name: "still-life.png", options: "-d 1"),
            Case(name: "still-life.png", options: "-d 0 -e 2"),
            Case(name: "dunes-grey.jpg", options: "-j 0 -d 1 -e 3"),
            Case(name: "aurora-16-bit.png", options: "-d 0 -e 2"),
            Case(name: "aurora-16-bit.png", options: "-d 1 -e 3"),
            Case(name: "thimble-alpha.png", options: "-d 0 -e 2"),
            Case(name: "peak-orientation-6.jpg", options: "-j 0 -d 1 -e 3"),
            Case(name: "gerbera-display-p3.jpg", options: "-j 0 -d 1"),
            Case(
                name: "aurora-animated.gif", options: "-e 1", notes: ["first frame of several"]),
        ])
    func picture(_ picture: Case) throws {
        try WorkingFolder.with { folder in
            try encode(picture.name, picture.options, in: folder)
            let made = try #require(try manifest(of: "in.jxl", in: folder))
            let source = "'\(Command.package.path)/Images/\(picture.name)'"
            let expected = try #require(try manifest(of: source, in: folder))
            #expect(made.notes == picture.notes)
            let (rendition, reference) = (
                try #require(made.rendition(.expanded)), try #require(expected.rendition(.expanded))
            )
            #expect(rendition.size == reference.size)
            if picture.name.contains("alpha") { #expect(rendition.type == "public.png") }
            // Of an animation another frame is shown.
            guard !picture.name.contains("animated") else { return }
            let (colour, other) = (made.averageColour, expected.averageColour)
            for (value, other) in [
                (colour.red, other.red), (colour.green, other.green), (colour.blue, other.blue),
            ] {
                #expect(abs(Int(value) - Int(other)) <= 3)
            }
        }
    }

    @Test(
        "made from a JPEG without loss gives the renditions of that JPEG, within the prediction",
        arguments: ["gerbera-display-p3.jpg", "lake-baseline.jpg"])
    func transcoded(name: String) throws {
        try WorkingFolder.with { folder in
            try encode(name, "", in: folder)
            let made = try #require(try manifest(of: "in.jxl", in: folder))
            #expect(made.source.coding == "transcoded JPEG")
            let (measured, predicted) = (
                try #require(made.measuredPeak), try #require(made.predictedPeak)
            )
            #expect(measured <= predicted)
            let options = "--max-bytes 300kB"
            let source = "'\(Command.package.path)/Images/\(name)'"
            let expected = try #require(try manifest(of: source, options, in: folder))
            let again = try #require(try manifest(of: "in.jxl", options, in: folder))
            #expect(again.rendition(.expanded)?.sha256 == expected.rendition(.expanded)?.sha256)
            #expect(again.rendition(.banner)?.sha256 == expected.rendition(.banner)?.sha256)
        }
    }

    @Test("made from a JPEG of several scans is decoded by its pixels")
    func progressive() throws {
        try WorkingFolder.with { folder in
            try encode("ridges-progressive.jpg", "", in: folder)
            let made = try #require(try manifest(of: "in.jxl", in: folder))
            #expect(made.source.coding == "transcoded JPEG" && made.notes.isEmpty)
        }
    }

    @Test("in PQ is tone-mapped")
    func highDynamicRange() throws {
        try WorkingFolder.with { folder in
            try encode("still-life.png", "-x color_space=RGB_D65_202_Rel_PeQ -d 1", in: folder)
            let made = try #require(try manifest(of: "in.jxl", in: folder))
            #expect(made.notes == ["tone-mapped from high dynamic range"])
        }
    }

    @Test("that is cut is truncated, or kept in part where that is allowed")
    func cut() throws {
        try WorkingFolder.with { folder in
            try encode("gerbera-display-p3.jpg", "-j 0 -d 1 -e 3", in: folder)
            let file = folder.appending(path: "in.jxl")
            let whole = try Data(contentsOf: file)
            try whole.prefix(whole.count * 7 / 10).write(to: file)
            #expect(try manifest(of: "in.jxl", in: folder) == nil)
            let made = try #require(
                try manifest(of: "in.jxl", "--tolerate-truncation", in: folder))
            #expect(made.notes == ["the file is damaged: missing parts are blank"])
        }
    }
}
