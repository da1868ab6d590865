import AttachmentContainer
import Foundation

/// The work of a content extension when it is shown: it queries the container, opens no picture, and
/// configures its view.
///
/// It links only the container module.
///
///     show-notification CONTAINER IDENTIFIER
@main
struct ShowNotification {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            print("usage: show-notification CONTAINER IDENTIFIER")
            exit(64)
        }
        let display = Display(width: 393, scale: 3)
        // Without a container, the answer is the one for an unknown notification.
        let container = try? SharedContainer.open(at: URL(fileURLWithPath: arguments[1]))
        let content =
            container?.content(for: arguments[2], on: display) ?? .neutral(on: display)
        print(
            "preferred height  \(Int((display.width * content.contentSizeRatio).rounded())) points")
        print("background        \(content.averageColour)")
        print("picture           \(content.picture?.url.path ?? "none: show the placeholder")")
        if let absence = content.absence { print("because           \(absence.rawValue)") }
    }
}
