public import AttachmentContainer

/// The action that keeps a picture or releases it.
public struct KeepAction: Sendable, Hashable {
    /// The identifier of the action, as the app registers it with the category.
    public var identifier: String
    /// The title of its button while the picture is not kept.
    public var keepTitle: String
    /// The title of its button while the picture is kept.
    public var releaseTitle: String

    /// Creates an action.
    ///
    /// - Parameters:
    ///   - identifier: The identifier that the app registers.
    ///   - keepTitle: The title while the picture is not kept.
    ///   - releaseTitle: The title while the picture is kept.
    public init(identifier: String, keepTitle: String, releaseTitle: String) {
        self.identifier = identifier
        self.keepTitle = keepTitle
        self.releaseTitle = releaseTitle
    }

    /// Keeps or releases the picture of the notification that a response is about, if the response
    /// chose this action.
    ///
    /// After a failure the pin, and with it the title, is unchanged.
    ///
    /// - Parameters:
    ///   - response: The person's response.
    ///   - container: The container with the picture; nil if it cannot be opened.
    /// - Returns: False for another action.
    public func handles(_ response: ReceivedResponse, in container: SharedContainer?) -> Bool {
        guard response.action == identifier else { return false }
        let notification = response.notification.identifier
        if (try? container?.isPinned(notification)) == true {
            _ = try? container?.unpin(notification)
        } else {
            _ = try? container?.pin(notification)
        }
        return true
    }

    /// Returns the button's title for a notification.
    ///
    /// - Parameters:
    ///   - identifier: The notification's identifier.
    ///   - container: The container with its picture.
    /// - Returns: The title; nil if the pin cannot be read.
    public func title(for identifier: String, in container: SharedContainer) -> String? {
        (try? container.isPinned(identifier)).map { $0 ? releaseTitle : keepTitle }
    }
}
