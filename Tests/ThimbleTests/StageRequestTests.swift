import Foundation
import Testing

@Suite("thimble stage with requests of providers", .timeLimit(.minutes(5)))
struct StageRequestTests {
    @Test("Each key of a request gets the rendition of its surface, and the APNs payload the note")
    func surfaces() throws {
        try WorkingFolder.with { folder in
            let picture = "Images/lake-baseline.jpg"
            let request = #"""
                {"message":{"topic":"news","notification":{"title":"Hi","image":"\#(picture)"},
                 "android":{"notification":{"image":"\#(picture)","color":"#ff0000"}},
                 "apns":{"payload":{"aps":{"mutable-content":1,"badge":1.0}},
                  "fcm_options":{"image":"\#(picture)"}},
                 "webpush":{"notification":{"image":"\#(picture)","icon":"\#(picture)"}}}}
                """#
            try Data(request.utf8).write(to: folder.appending(path: "in.json"))
            let run = try Command.shell(
                "thimble stage --container C --allow-root Images --publish-url https://e.com/r "
                    + "--preset content --preset android-big-picture --preset web-push <in.json",
                in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let staged = try #require(
                try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
            let text = { (path: String) in
                path.split(separator: ".").reduce(staged as Any?) {
                    ($0 as? [String: Any])?[String($1)]
                } as? String
            }
            let main = try #require(text("message.apns.fcm_options.image"))
            let android = try #require(text("message.android.notification.image"))
            let web = try #require(text("message.webpush.notification.image"))
            #expect(Set([main, android, web]).count == 3)
            #expect([main, android, web].allSatisfy { $0.hasPrefix("https://e.com/r/") })
            // Without the preset of icons, and for all platforms, the main rendition.
            #expect(text("message.webpush.notification.icon") == main)
            #expect(text("message.notification.image") == main)
            #expect(text("message.apns.payload.thimble.outcome") == "rendition")
            let rendition = try #require(text("message.apns.payload.thimble.rendition"))
            #expect(main == "https://e.com/r/\(rendition)")
            #expect(run.output.contains(##""color":"#ff0000""##))
            #expect(run.output.contains(#""aps":{"mutable-content":1,"badge":1.0}"#))
            for url in [main, android, web] {
                let file = "C/renditions/" + url.dropFirst("https://e.com/r/".count)
                #expect(FileManager.default.fileExists(atPath: folder.appending(path: file).path))
            }
        }
    }
}
