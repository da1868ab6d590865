import AttachmentContainer
import Foundation
import Testing

@Suite("Values in the manifest")
struct ValueTests {
    @Test("A colour is #rrggbb, in either case", arguments: ["#000000", "#0a0B0c", "#FFffFF"])
    func colour(text: String) throws {
        let colour = try #require(Colour(rawValue: text))
        #expect(colour.rawValue == text.lowercased())
        let json = try JSONEncoder().encode([colour])
        #expect(String(decoding: json, as: UTF8.self) == "[\"\(text.lowercased())\"]")
        #expect(try JSONDecoder().decode([Colour].self, from: json) == [colour])
    }

    @Test(
        "Other texts are not colours",
        arguments: ["", "#", "#12345", "#1234567", "1234567", "#12345g", "#12é45", "#１２３４５６"])
    func noColour(text: String) {
        #expect(Colour(rawValue: text) == nil)
    }

    @Test("Parts of a picture survive coding despite rounding errors")
    func part() throws {
        for (side, offset) in [(0.75, 0.25), (1.0 / 3, 2.0 / 3), (0.1, 0.9), (1, 0)] {
            let part = try #require(UnitRectangle(x: offset, y: 0, width: side, height: 1))
            let json = try JSONEncoder().encode(part)
            #expect(try JSONDecoder().decode(UnitRectangle.self, from: json) == part)
        }
    }

    @Test(
        "Empty parts, and parts beyond the picture, are refused",
        arguments: [
            [-0.1, 0, 0.5, 0.5], [0, 0, 0, 1], [0, 0.6, 1, 0.5], [0.5, 0, 0.51, 1],
            [0, 0, 2, 1], [0, 0, 1e300, 1e300],
        ])
    func noPart(sides: [Double]) {
        #expect(
            UnitRectangle(x: sides[0], y: sides[1], width: sides[2], height: sides[3]) == nil)
        let fields = zip(["x", "y", "width", "height"], sides).map { "\"\($0)\":\($1)" }
        let json = Data("{\(fields.joined(separator: ","))}".utf8)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(UnitRectangle.self, from: json)
        }
    }

    @Test("A part with a NaN is refused")
    func notANumber() {
        #expect(UnitRectangle(x: .nan, y: 0, width: 1, height: 1) == nil)
        #expect(UnitRectangle(x: 0, y: 0, width: 1, height: .nan) == nil)
    }

    @Test("Encoded byte counts are limited to 2⁵³, and larger limits are clamped")
    func byteCount() throws {
        let read = { (json: String) in
            try JSONDecoder().decode([ByteCount].self, from: Data(json.utf8)).map(\.bytes)
        }
        #expect(try read("[0, 9007199254740992]") == [0, 1 << 53])
        for json in ["[-1]", "[9007199254740993]", "[9223372036854775807]", "[0.5]"] {
            #expect(throws: DecodingError.self) { try read(json) }
        }
        let json = try JSONEncoder().encode([ByteCount(.max), ByteCount(7)])
        #expect(try read(String(decoding: json, as: UTF8.self)) == [1 << 53, 7])
    }

    @Test("A version is two numbers", arguments: ["1.0", "1.12", "2.0", "0.1"])
    func version(text: String) throws {
        let version = try #require(FormatVersion(rawValue: text))
        #expect(version.description == text)
        #expect(version.isReadable == text.hasPrefix("1."))
    }

    @Test(
        "Other texts are not versions",
        arguments: ["", "1", "1.", ".1", "1.0.0", "1.-1", "a.b", "99999999.0", " 1.0"])
    func noVersion(text: String) {
        #expect(FormatVersion(rawValue: text) == nil)
    }

    @Test("Digests follow FIPS 180-4")
    func digest() {
        // FIPS 180-4's example B.1, and the digest of empty data.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        #expect(ContentDigest(of: "abc").rawValue == abc)
        #expect(ContentDigest(of: Data()).rawValue == nothing)
        #expect(ContentDigest(rawValue: abc) == ContentDigest(of: "abc"))
        #expect(ContentDigest(rawValue: abc.uppercased()) == nil)
        #expect(ContentDigest(rawValue: String(abc.dropLast())) == nil)
        #expect(ContentDigest(rawValue: "../" + abc.dropFirst(3)) == nil)
    }

    @Test("Types and file extensions convert both ways", arguments: RenditionType.allCases)
    func types(type: RenditionType) {
        #expect(RenditionType(fileExtension: type.fileExtension) == type)
        #expect(RenditionType(fileExtension: type.fileExtension.uppercased()) == nil)
        #expect(RenditionType(fileExtension: "heic") == nil)
    }
}
