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
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else {
            print("usage: show-notification CONTAINER IDENTIFIER")
            exit(64)
        }
        let display = Display(width: 393, scale: 3)
        // Where there is no container yet, the answer is that for an unknown notification.
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
