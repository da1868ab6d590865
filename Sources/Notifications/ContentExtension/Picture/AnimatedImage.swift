#if canImport(UserNotificationsUI) && canImport(UIKit)
    import AttachmentContainer
    import AttachmentDecryption
    import Foundation
    import ImageIO
    import UIKit

    @MainActor
    final class AnimatedImage {
        private let animation: Animation

        /// Starts an animation; calls `show` for each frame when it is due.
        ///
        /// A sealed one is decrypted into memory, because the system plays only files and data.
        init(of picture: DisplayContent.Picture, show: @escaping @MainActor (CGImage) -> Void) {
            let animation = Animation()
            self.animation = animation
            let onFrame: CGImageSourceAnimationBlock = { @Sendable _, frame, stop in
                guard animation.isRunning else {
                    stop.pointee = true
                    return
                }
                // The documentation does not specify the block's thread.
                Task { @MainActor in
                    if animation.isRunning { show(frame) }
                }
            }
            // On failure no frame arrives, and the placeholder stays.
            if picture.isSealed {
                guard let data = try? picture.data() else { return }
                _ = CGAnimateImageDataWithBlock(data as CFData, nil, onFrame)
            } else {
                _ = CGAnimateImageAtURLWithBlock(
                    NSURL(fileURLWithPath: picture.url.path) as CFURL, nil, onFrame)
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
