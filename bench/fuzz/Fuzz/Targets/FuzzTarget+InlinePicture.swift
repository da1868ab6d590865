import Foundation
import NotificationPayload

extension FuzzTarget {
    /// Pictures inside payloads: as bytes, as text, decoded as on a device, and as an encoder's output.
    static let inlinePictures = [
        FuzzTarget("inline-picture", seeds: pictures, read: readPicture),
        FuzzTarget("inline-picture-rows", seeds: pictures) { input in
            guard let picture = try? InlinePicture(bytes: input.bytes) else { return }
            precondition(delivered(picture) == picture)
            readHEIF(FuzzInput(picture.file))
        },
        FuzzTarget("inline-picture-unit", seeds: units) { input in
            guard let picture = try? InlinePicture(temporalUnit: input.bytes) else { return }
            check(picture)
        },
    ]

    private static func readPicture(_ input: FuzzInput) {
        if let picture = try? InlinePicture(text: String(decoding: input.bytes, as: UTF8.self)) {
            precondition(Array(picture.text.utf8) == input.bytes)
            check(picture)
        }
        guard let picture = try? InlinePicture(bytes: input.bytes) else { return }
        precondition(picture.bytes == input.bytes)
        check(picture)
    }

    /// What is accepted comes back from every form, and makes a file of its own length.
    private static func check(_ picture: InlinePicture) {
        precondition((try? InlinePicture(text: picture.text)) == picture)
        precondition((try? InlinePicture(temporalUnit: picture.temporalUnit)) == picture)
        precondition(1...InlinePicture.maximumSide ~= picture.width)
        precondition(1...InlinePicture.maximumSide ~= picture.height)
        precondition(picture.file.count <= picture.frame.count + 292)
    }

    /// The picture as a device reads it from a payload.
    private static func delivered(_ picture: InlinePicture) -> InlinePicture? {
        let json = #"{"aps":{},"thimble":{"outcome":"rendition","inline":"\#(picture.text)"}}"#
        let members = try? APNsPayload(parsing: json.utf8).document.root.members
        return members.flatMap { DeliveryNote(userInfo: $0)?.picture }
    }

    private static func pictures() -> [[UInt8]] {
        let short: [UInt8] = [1, 6, 94, 63, 0x13, 0x70, 0x0F, 0]
        let text = (try? InlinePicture(bytes: short))?.text ?? ""
        return [short, Array(text.utf8)]
    }

    private static func units() -> [[UInt8]] {
        pictures().prefix(1).compactMap { (try? InlinePicture(bytes: $0))?.temporalUnit }
    }
}
