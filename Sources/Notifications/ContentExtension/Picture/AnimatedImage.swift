#if canImport(UserNotificationsUI) && canImport(UIKit)
    import AttachmentContainer
    import Foundation
    import ImageIO
    import UIKit

    @MainActor
    final class AnimatedImage {
        private let animation: Animation

        /// Starts an animation; calls `show` for each frame when it is due.
        init(of url: URL, show: @escaping @MainActor (CGImage) -> Void) {
            let animation = Animation()
            self.animation = animation
            // On failure no frame arrives, and the placeholder stays.
            _ = CGAnimateImageAtURLWithBlock(
                NSURL(fileURLWithPath: url.path) as CFURL, nil
            ) { @Sendable _, frame, stop in
                guard animation.isRunning else {
                    stop.pointee = true
                    return
                }
                // The documentation does not specify the block's thread.
                Task { @MainActor in
                    if animation.isRunning { show(frame) }
                }
            }
        }

        deinit { animation.stop() }

        private final class Animation: Sendable {
            private let isStopped = Lock(false)

            var isRunning: Bool { isStopped.withLock { !$0 } }

            func stop() { isStopped.withLock { $0 = true } }
        }
    }
#endif
