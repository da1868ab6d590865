import NotificationCheck
import Foundation
import Randomness
import Testing

@Suite("Hostile property lists", .timeLimit(.minutes(1)))
struct HostileFileTests {
    @Test("Bytes other than property lists fail with the right code")
    func malformed() throws {
        let xml = try InfoPlist.data(InfoPlist.declaration())
        let binary = try InfoPlist.data(InfoPlist.declaration(), as: .binary)
        let cases: [(Data, ProfileError.Code)] = [
            (Data(), .malformed), (Data("hello".utf8), .malformed),
            (Data("{ NSExtension = (); }".utf8), .malformed), (Data("{}".utf8), .malformed),
            (xml.prefix(xml.count / 2), .malformed), (binary.prefix(40), .malformed),
            (Data("<plist><string>a</string></plist>".utf8), .malformed),
            (Data("<plist><dict><key>a</key></dict></plist>".utf8), .malformed),
            (Data([0xFF, 0xFE]) + xml, .malformed), (Data("bplist00".utf8), .malformed),
            (Data(repeating: 0x20, count: 1 << 20) + xml, .tooLarge),
        ]
        for (data, code) in cases {
            let error = #expect(throws: ProfileError.self) {
                try Profile(infoPlist: data, source: "Info.plist")
            }
            #expect(error?.code == code)
        }
    }

    @Test("Files other than regular ones are rejected without blocking")
    func notFiles() throws {
        let folder = try InfoPlist()
        #expect(mkfifo(folder.path("fifo"), 0o600) == 0)
        let large = try folder.write(Data(repeating: 0x20, count: (1 << 20) + 1), to: "large")
        let cases: [(String, ProfileError.Code)] = [
            (folder.path("nowhere"), .unreadable), (folder.path("fifo"), .unreadable),
            (folder.folder.path, .unreadable), ("/dev/zero", .unreadable), (large, .tooLarge),
        ]
        for (path, code) in cases {
            let error = #expect(throws: ProfileError.self) { try Profile(infoPlist: path) }
            #expect(error?.code == code)
            #expect(error?.file == path)
        }
    }

    @Test("Entities are not expanded, and no other file is read")
    func entities() throws {
        let levels = (1...9).map { level in
            let inner = String(repeating: "&e\(level - 1);", count: 10)
            return "<!ENTITY e\(level) \"\(inner)\">"
        }.joined()
        for entity in ["&e9;", "&file;", "&unknown;"] {
            let text = """
                <?xml version="1.0"?><!DOCTYPE plist [<!ENTITY e0 "a">\(levels)\
                <!ENTITY file SYSTEM "file:///etc/passwd">]><plist version="1.0"><dict>\
                <key>NSExtension</key><string>\(entity)</string></dict></plist>
                """
            let error = #expect(throws: ProfileError.self) {
                try Profile(infoPlist: Data(text.utf8), source: "Info.plist")
            }
            #expect(error?.code == .malformed)
        }
    }

    private static let nested: [(String, String)] = [
        ("<array>", "</array>"), ("<dict><key>a</key>", "</dict>"),
        ("<array><!-- > -->", "</array>"),
        // An unmatched closing tag must not allow another level.
        ("<array><!-- </array> -->", "</array>"), ("<array><?x </array>?>", "</array>"),
        ("<array><!-- --><!-- </array> -->", "</array>"), ("<array >", "</array >"),
        ("<array\n>", "</array>"), ("<array a=\"/>\">", "</array>"), ("<array a='/>'>", "</array>"),
    ]

    @Test("Deep nesting is rejected on the smallest stack, in every disguise", arguments: nested)
    func depth(open: String, close: String) async throws {
        for depth in [33, 1_000, 30_000] {
            let text =
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist><dict><key>k</key>"
                + String(repeating: open, count: depth) + "<true/>"
                + String(repeating: close, count: depth) + "</dict></plist>"
            let data = Data(text.utf8)
            let code = try await onSmallStack { () -> ProfileError.Code? in
                do throws(ProfileError) {
                    _ = try Profile(infoPlist: data, source: "Info.plist")
                    return nil
                } catch {
                    return error.code
                }
            }
            #expect(code == (data.count > 1 << 20 ? .tooLarge : .tooComplex))
        }
    }

    @Test("A declared encoding cannot hide the nesting")
    func encoding() async throws {
        let levels = String(repeating: "+ADw-array+AD4-", count: 20_000)
        let data = Data("<?xml version=\"1.0\" encoding=\"UTF-7\"?><plist>\(levels)</plist>".utf8)
        let code = try await onSmallStack { () -> ProfileError.Code? in
            do throws(ProfileError) {
                _ = try Profile(infoPlist: data, source: "Info.plist")
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code == .malformed)
    }

    @Test("Binary files with billions of shared values, or with cycles, are rejected")
    func sharing() throws {
        // Each array references the next one 200 times.
        let bomb = binary(
            (0..<9).map { [0xAF, 0x10, 200] + [UInt8](repeating: $0 + 1, count: 200) } + [[0x09]])
        let chain = binary((0..<60).map { [0xA1, $0 + 1] } + [[0x09]])
        let cycle = binary([[0xA1, 0]])
        for data in [bomb, chain, cycle] {
            let error = #expect(throws: ProfileError.self) {
                try Profile(infoPlist: data, source: "Info.plist")
            }
            #expect(error?.code == .tooComplex)
        }
    }

    /// A binary property list of encoded objects; the first is the root.
    private func binary(_ objects: [[UInt8]]) -> Data {
        var data = Data("bplist00".utf8)
        var offsets = Data()
        for object in objects {
            offsets.append(contentsOf: [UInt8(data.count >> 8), UInt8(data.count & 255)])
            data.append(contentsOf: object)
        }
        let table = data.count
        data.append(offsets)
        data.append(contentsOf: [0, 0, 0, 0, 0, 0, 2, 1])
        for number in [objects.count, 0, table] {
            data.append(contentsOf: (0..<8).reversed().map { UInt8(number >> (8 * $0) & 255) })
        }
        return data
    }

    @Test("Damaged files are read or rejected without a crash")
    func mutations() async throws {
        let originals = [
            try InfoPlist.data(InfoPlist.declaration()),
            try InfoPlist.data(InfoPlist.declaration(), as: .binary),
        ]
        let outcomes = try await onSmallStack { () -> (read: Int, refused: Int) in
            var random = SplitMix64(seed: 7)
            var outcomes = (read: 0, refused: 0)
            for round in 0..<1_000 {
                var data = originals[round % 2]
                for _ in 0...random.below(2) {
                    let place = random.below(data.count)
                    if random.below(8) == 0 {
                        data = data.prefix(max(1, place))
                    } else {
                        data[place] = UInt8(random.below(256))
                    }
                }
                do throws(ProfileError) {
                    _ = try Profile(infoPlist: data, source: "Info.plist")
                    outcomes.read += 1
                } catch {
                    outcomes.refused += 1
                }
            }
            return outcomes
        }
        #expect(outcomes.read > 20 && outcomes.refused > 20, "\(outcomes)")
    }
}
