public import AttachmentContainer
import Foundation
public import NotificationPayload

extension DeliveryNote {
    /// Reads the note in a notification's `userInfo`, also in the objects or the JSON text in which
    /// providers deliver the data of a request.
    ///
    /// - Parameters:
    ///   - userInfo: The sender's data. The result is nil without a note of JSON values in it.
    ///   - path: The path of the note, which consists of keys. The default is `thimble`.
    public init?(userInfo: [AnyHashable: Any], at path: JSONPath = APNsPayload.notePath) {
        for place in Self.places(of: path) {
            guard let (members, rest) = Self.json(at: place, in: userInfo),
                let note = DeliveryNote(userInfo: members, at: rest)
            else { continue }
            self = note
            return
        }
        return nil
    }

    /// The value at a path as JSON, or the text on the way to it, and the path in the result.
    ///
    /// Other values of `userInfo` need not be JSON.
    private static func json(
        at path: JSONPath, in userInfo: [AnyHashable: Any]
    ) -> (members: [JSONMember], rest: JSONPath)? {
        var (object, value): ([AnyHashable: Any], Any?) = (userInfo, nil)
        var rest = path.steps[...]
        while case .key(let key)? = rest.first, let next = object[key] {
            rest.removeFirst()
            value = next
            guard let inner = next as? [AnyHashable: Any] else { break }
            object = inner
        }
        guard let value, rest.isEmpty || value is String else { return nil }
        let root = ["note": value]
        // JSONSerialization raises an exception, not an error, for invalid objects.
        guard JSONSerialization.isValidJSONObject(root),
            let json = try? JSONSerialization.data(withJSONObject: root),
            let members = try? JSONDocument(parsing: json).root.members
        else { return nil }
        return (members, JSONPath([.key("note")] + rest))
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
