import AttachmentContainer
import NotificationCheck
import Testing

@Suite("Profiles and categories", .timeLimit(.minutes(1)))
struct ProfileSetTests {
    private func profile(_ source: String, _ categories: [String]) throws -> Profile {
        try Profile(source: source, categories: categories, initialContentSizeRatio: 0.75)
    }

    @Test("The category selects the profile by exact comparison")
    func match() throws {
        let photo = try profile("photo.plist", ["photo", "album"])
        let map = try profile("map.plist", ["map"])
        let set = try ProfileSet([photo, map])
        #expect(set.match("album") == .profile(photo))
        #expect(set.match("map") == .profile(map))
        #expect(set.match(nil) == .noCategory)
        #expect(set.match("") == .noCategory)
        #expect(set.match("weather") == .unknownCategory(nil))
        #expect(try ProfileSet([]).match("photo") == .unknownCategory(nil))
    }

    @Test(
        "A similar category is not a match, and the near miss describes the difference",
        arguments: [
            ("Photo", "photo", .letterCase), ("photo ", "photo", .whitespace),
            ("ph\u{200B}oto", "photo", .whitespace), ("photo\n", "photo", .whitespace),
            ("caf\u{E9}", "cafe\u{301}", .spelling), ("new_photo", "new-photo", .separators),
            ("NewPhoto", "new-photo", .separators), ("new.photo", "new-photo", .separators),
            ("phtoo", "photo", .characters(1)), ("photos", "photo", .characters(1)),
            ("foto", "photo", nil), ("new-fotos", "new-photo", nil),
            ("nww-phtoo", "new-photo", .characters(2)), ("x", "y", nil), ("ab", "ac", nil),
        ] as [(String, String, NearMiss.Difference?)])
    func nearMiss(category: String, declared: String, difference: NearMiss.Difference?) throws {
        let set = try ProfileSet([profile("photo.plist", ["something-else", declared])])
        guard case .unknownCategory(let nearMiss) = set.match(category) else {
            Issue.record("a different category was matched")
            return
        }
        #expect(nearMiss?.difference == difference)
        guard let difference else { return }
        #expect(nearMiss?.identifier.isIdenticalForTest(to: declared) == true)
        #expect(set.match(category).description.contains("differs \(difference)"))
    }

    @Test("The near miss with the smallest difference is reported")
    func slightest() {
        let nearest = NearMiss.nearest(to: "photo", among: ["phot", "PHOTO", "photo-"])
        #expect(nearest?.identifier == "PHOTO")
    }

    @Test("A category in two profiles is an error; equivalent accents are two categories")
    func duplicates() throws {
        let photo = try profile("photo.plist", ["photo", "caf\u{E9}"])
        _ = try ProfileSet([photo, profile("other.plist", ["Photo", "cafe\u{301}"])])
        let error = #expect(throws: ProfileError.self) {
            try ProfileSet([photo, profile("other.plist", ["x", "photo"])])
        }
        #expect(error?.code == .duplicateCategory)
        #expect(error?.file == "other.plist")
        #expect(error?.reason == "“photo” is also declared by photo.plist")
    }

    @Test("Invisible characters are escaped, and long texts are truncated")
    func hiddenCharacters() throws {
        let set = try ProfileSet([profile("photo.plist", ["photo\u{200B}\u{1B}[31m"])])
        #expect(set.match("photo[31m").description.contains(#"“photo\u{200B}\u{1B}[31m”"#))
        let long = String(repeating: "a", count: 100_000)
        let error = #expect(throws: ProfileError.self) {
            try profile("photo.plist", [long, long])
        }
        #expect((error?.reason.count ?? .max) < 200)
        #expect(NearMiss.nearest(to: long, among: [long + "b"]) == nil)
    }

    @Test("A set reads files, and one unreadable file fails the set")
    func files() throws {
        let folder = try InfoPlist()
        let photo = try folder.write(InfoPlist.data(InfoPlist.declaration()), to: "photo.plist")
        let map = try folder.write(
            InfoPlist.data(InfoPlist.declaration(["UNNotificationExtensionCategory": "map"])),
            to: "map.plist")
        let options = DisplayOptions(width: 393, fitting: .crop)
        let set = try ProfileSet(infoPlists: [photo, map], options: options)
        #expect(set.profiles.map(\.source) == [photo, map])
        #expect(set.profiles.map(\.fitting) == [.crop, .crop])
        #expect(set.profiles.map(\.display.width) == [393, 393])
        #expect(throws: ProfileError.self) {
            try ProfileSet(infoPlists: [photo, folder.path("nowhere")])
        }
        #expect(throws: ProfileError.self) { try ProfileSet(infoPlists: [photo, photo]) }
    }
}

extension String {
    fileprivate func isIdenticalForTest(to other: String) -> Bool {
        Array(utf8) == Array(other.utf8)
    }
}
