import AttachmentContainer
import Foundation

/// What a content extension does when it is shown: asks the container, opens no picture, and has
/// everything to configure its view.
///
/// It links the container module alone.
///
///     show-notification CONTAINER IDENTIFIER
@main
struct ShowNotification {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            print("usage: show-notification CONTAINER IDENTIFIER")
            exit(64)
        }
        let container = try SharedContainer.open(at: URL(fileURLWithPath: arguments[1]))
        let display = Display(width: 393, scale: 3)
        guard let content = try container.content(for: arguments[2], on: display) else {
            print("no such notification")
            exit(1)
        }
        print(
            "preferred height  \(Int((display.width * content.contentSizeRatio).rounded())) points")
        print("background        \(content.averageColour)")
        print("picture           \(content.picture?.url.path ?? "none: show the placeholder")")
    }
}
