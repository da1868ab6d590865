import Foundation
import NotificationContentAdapter
import NotificationDelivery
import NotificationPayload
import NotificationStaging
import Testing

@Suite("Pictures inside payloads on the device", .timeLimit(.minutes(2)))
struct InlineDeviceTests {
    /// Expects the picture in both extensions, which read a `userInfo` in two forms.
    private static func expect(
        _ staged: StagedPayload, in userInfo: [AnyHashable: Any], _ name: String
    ) throws {
        let picture = try #require(staged.inlinePicture, "\(name): \(staged.notes)")
        #expect(DeliveryNote(userInfo: userInfo)?.picture == picture, "\(name)")
        let json = try JSONSerialization.data(withJSONObject: userInfo)
        let members = try #require(try JSONDocument(parsing: json).root.members)
        #expect(DeliveryNote(userInfo: members)?.picture == picture, "\(name)")
    }

    @Test("The picture is found in payloads of every style", arguments: InlineChroma.allCases)
    func styles(chroma: InlineChroma) async throws {
        #expect(Set(StyledPayload.all.keys) == Set(PayloadStyle.presets))
        try await InlineStage.with(chroma: chroma, FillingEncoder()) { stager, picture in
            for (style, sample) in StyledPayload.all {
                let staged = try await stager.stage(try sample.document(picture))
                let delivered = try JSONSerialization.jsonObject(
                    with: Data(staged.payload.bytes))
                let userInfo = try #require(delivered as? [AnyHashable: Any])
                try Self.expect(staged, in: userInfo, style.name)
                #expect(
                    staged.inlinePicture?.coding.contains(.fullChroma) == (chroma == .full))
            }
        }
    }

    @Test("The picture is found where providers deliver the data of their requests")
    func requests() async throws {
        try await InlineStage.with(rule: .always, FillingEncoder()) { stager, picture in
            for request in ProviderRequest.all {
                let staged = try await stager.stage(try request.document(picture))
                #expect(staged.payload.envelope != nil, "\(request.name)")
                #expect(staged.payload.size <= 4096)
                try Self.expect(staged, in: try request.userInfo(staged.payload), request.name)
            }
        }
    }

    @Test("A request without a place for a note says so, with a remedy")
    func noPlace() async throws {
        try await InlineStage.with(rule: .always, FillingEncoder()) { stager, picture in
            let text = #"{"topic":"t","message":"x","attach":"\#(picture.path)"}"#
            let staged = try await stager.stage(try JSONDocument(parsing: text.utf8))
            #expect(staged.inlinePicture == nil)
            let failure = try #require(staged.inlineFailure)
            #expect(failure.code.rawValue == "no-room")
            #expect(failure.message.contains("no place"), "\(failure.message)")
            // The remedy works.
            let payload = try #require(StyledPayload.all[.ntfy]).document(picture)
            #expect(try await stager.stage(payload).inlinePicture != nil)
        }
    }

    @Test("Values that are not JSON hide no note beside them")
    func propertyLists() throws {
        let text = try InlinePicture(bytes: [1, 6, 94, 63, 0, 0]).text
        let note: [String: Any] = ["outcome": "rendition", "inline": text]
        let userInfo: [AnyHashable: Any] = [
            "body": ["thimble": note, "data": Data([1])] as [String: Any], "custom": Date(),
            "thimble": 7,
        ]
        #expect(DeliveryNote(userInfo: userInfo)?.picture != nil)
    }
}
