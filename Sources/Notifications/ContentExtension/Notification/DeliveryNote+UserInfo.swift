public import AttachmentContainer
import Foundation
public import NotificationPayload

extension DeliveryNote {
    /// Reads the note in a notification's `userInfo`.
    ///
    /// - Parameters:
    ///   - userInfo: The sender's data. The result is nil without a note of JSON values in it.
    ///   - path: The path of the note, which consists of keys. The default is `thimble`.
    public init?(userInfo: [AnyHashable: Any], at path: JSONPath = APNsPayload.notePath) {
        var object = userInfo
        for step in path.steps {
            guard case .key(let key) = step, let value = object[key] as? [AnyHashable: Any] else {
                return nil
            }
            object = value
        }
        let root = ["note": object]
        // JSONSerialization raises an exception, not an error, for invalid objects.
        guard JSONSerialization.isValidJSONObject(root),
            let json = try? JSONSerialization.data(withJSONObject: root),
            let members = try? JSONDocument(parsing: json).root.members
        else { return nil }
        self.init(userInfo: members, at: JSONPath(keys: "note"))
    }
}

extension DisplayContent.Preview {
    /// Creates the preview of the picture that a note describes; invalid values count as unknown.
    ///
    /// Without a ratio in the note, the inline picture's ratio counts.
    ///
    /// - Parameter note: The note; nil for an unknown picture.
    public init(_ note: DeliveryNote?) {
        let inlineRatio = note?.picture.map { Double($0.height) / Double($0.width) }
        self.init(
            contentSizeRatio: note?.contentSizeRatio ?? inlineRatio,
            placeholder: note?.placeholder.flatMap { ThumbHash(rawValue: $0) },
            averageColour: note?.averageColour.flatMap { Colour(rawValue: $0) })
    }
}
