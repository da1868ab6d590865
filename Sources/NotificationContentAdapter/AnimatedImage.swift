#if canImport(UserNotificationsUI) && canImport(UIKit)
    import Foundation
    import ImageIO
    import Synchronization
    import UIKit

    /// A picture that moves, shown frame by frame for as long as somebody holds it.
    @MainActor
    final class AnimatedImage {
        private let animation: Animation

        /// Starts a picture.
        ///
        /// - Parameters:
        ///   - url: The file.
        ///   - show: Gets every frame when it is due.
        init(of url: URL, show: @escaping @MainActor (CGImage) -> Void) {
            let animation = Animation()
            self.animation = animation
            // One that cannot be animated gives no frame: the likeness stays.
            _ = CGAnimateImageAtURLWithBlock(
                NSURL(fileURLWithPath: url.path) as CFURL, nil
            ) { @Sendable _, frame, stop in
                guard animation.isRunning else {
                    stop.pointee = true
                    return
                }
                // The documentation names no thread for the block.
                Task { @MainActor in
                    if animation.isRunning { show(frame) }
                }
            }
        }

        deinit { animation.stop() }

        /// Whether frames are still wanted, asked from whatever thread the system decodes on.
        private final class Animation: Sendable {
            private let isStopped = Mutex(false)

            var isRunning: Bool { isStopped.withLock { !$0 } }

            func stop() { isStopped.withLock { $0 = true } }
        }
    }
#endif
