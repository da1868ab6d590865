import AttachmentContainer
import NotificationCheck
import Foundation
import Testing

@Suite("Display options", .timeLimit(.minutes(1)))
struct DisplayOptionsTests {
    @Test("An options file is JSON or a property list")
    func formats() throws {
        let folder = try InfoPlist()
        let values: [String: Any] = [
            "width": 393.5, "scale": 2, "renderBudget": "4MiB", "fitting": "crop",
        ]
        let expected = DisplayOptions(
            width: 393.5, scale: 2, renderBudget: .mebibytes(4), fitting: .crop)
        let json = try JSONSerialization.data(withJSONObject: values)
        for data in [
            json, Data("\n".utf8) + json, try InfoPlist.data(values),
            try InfoPlist.data(values, as: .binary),
        ] {
            #expect(try DisplayOptions(file: folder.write(data)) == expected)
        }
        let bytes = try folder.write(Data(#"{"renderBudget":1000}"#.utf8))
        #expect(try DisplayOptions(file: bytes) == DisplayOptions(renderBudget: ByteCount(1000)))
    }

    @Test("Flags override the file, and the file overrides the defaults")
    func completion() throws {
        let file = DisplayOptions(width: 300, scale: 2, fitting: .crop)
        let flags = DisplayOptions(width: 393, renderBudget: .mebibytes(2))
        let profile = try Profile(
            source: "flags", categories: ["photo"], initialContentSizeRatio: 0.5,
            options: flags.completed(by: file))
        #expect(profile.display == Display(width: 393, scale: 2, renderBudget: .mebibytes(2)))
        #expect(profile.fitting == .crop)
    }

    @Test(
        "Each fault reports its key",
        arguments: [
            (#"{"width": 0}"#, "width", .invalidValue),
            (#"{"width": 10001}"#, "width", .invalidValue),
            (#"{"width": true}"#, "width", .wrongType),
            (#"{"width": "393"}"#, "width", .wrongType),
            (#"{"scale": 0.4}"#, "scale", .invalidValue),
            (#"{"scale": null}"#, "scale", .wrongType),
            (#"{"renderBudget": 3}"#, "renderBudget", .invalidValue),
            (#"{"renderBudget": -8}"#, "renderBudget", .invalidValue),
            (#"{"renderBudget": 8.5}"#, "renderBudget", .wrongType),
            (#"{"renderBudget": "much"}"#, "renderBudget", .invalidValue),
            (#"{"fitting": "stretch"}"#, "fitting", .invalidValue),
            (#"{"fitting": 1}"#, "fitting", .wrongType),
            (#"{"widht": 393}"#, "widht", .invalidValue),
            (#"{"width": 393"#, "", .malformed), ("[393]", "", .malformed),
        ] as [(String, String, ProfileError.Code)])
    func faults(json: String, key: String, code: ProfileError.Code) throws {
        let folder = try InfoPlist()
        let kept = try folder.write(Data(json.utf8), to: "options.json")
        let error = #expect(throws: ProfileError.self) { try DisplayOptions(file: kept) }
        #expect(error?.code == code)
        #expect(error?.key == key)
        #expect(error?.file == kept)
    }

    @Test("Deeply nested JSON is rejected on the smallest stack")
    func depth() async throws {
        let folder = try InfoPlist()
        let path = try folder.write(
            Data(#"{"width":\#(String(repeating: "[", count: 200_000))"#.utf8))
        let code = try await onSmallStack { () -> ProfileError.Code? in
            do throws(ProfileError) {
                _ = try DisplayOptions(file: path)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code == .malformed)
    }

    @Test("Out-of-range options, including NaN, are also rejected in code")
    func ranges() throws {
        for options in [
            DisplayOptions(width: .nan), DisplayOptions(scale: .infinity),
            DisplayOptions(renderBudget: ByteCount(0)),
        ] {
            let data = try InfoPlist.data(InfoPlist.declaration())
            let error = #expect(throws: ProfileError.self) {
                try Profile(infoPlist: data, source: "Info.plist", options: options)
            }
            #expect(error?.code == .invalidValue)
            #expect(error?.file == "options")
        }
        #expect(throws: ProfileError.self) {
            try Profile(source: "code", categories: [], initialContentSizeRatio: 1)
        }
        #expect(throws: ProfileError.self) {
            try Profile(source: "code", categories: ["a"], initialContentSizeRatio: -.infinity)
        }
    }
}

@Suite("Rendition targets of a profile")
struct RenditionTargetTests {
    private func target(_ ratio: Double, _ fitting: Profile.Fitting) throws -> RenditionTarget {
        try Profile(
            source: "code", categories: ["photo"], initialContentSizeRatio: ratio,
            options: DisplayOptions(width: 393, scale: 3, fitting: fitting)
        ).renditionTarget
    }

    @Test("Width in pixels, budget, ratio and fitting match the profile")
    func values() throws {
        let target = try target(0.75, .crop)
        #expect(target.widthInPixels == 1179)
        #expect(target.renderBudget == .mebibytes(8))
        #expect(target.contentSizeRatio == 0.75)
        #expect(target.fitting == .crop)
    }

    @Test("A crop ratio is set only for the fitting crop")
    func crop() throws {
        #expect(try target(0.75, .crop).cropRatio == 0.75)
        #expect(try target(0.75, .fit).cropRatio == nil)
    }
}
