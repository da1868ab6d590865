#if canImport(UserNotificationsUI) && canImport(UIKit)
    import AVFoundation
    import Foundation
    import UIKit

    /// Plays a sound or a film from the system's own store, to which it holds access meanwhile.
    @MainActor
    final class MediaPlayback {
        /// What plays it, for a view with frames.
        let player: AVPlayer
        private let access: SecurityScopedAccess
        private let ending: Ending

        /// Opens a sound or a film, and does not start it.
        ///
        /// - Parameters:
        ///   - media: The file.
        ///   - ended: Called when it has played to its end, after which it is at its start again.
        init(_ media: ReceivedNotification.Media, ended: @escaping @MainActor () -> Void) {
            access = SecurityScopedAccess(to: media.url)
            let item = AVPlayerItem(url: media.url)
            let player = AVPlayer(playerItem: item)
            self.player = player
            ending = Ending(of: item) { [weak player] in
                player?.seek(to: .zero)
                ended()
            }
        }

        /// Plays on.
        func play() { player.play() }

        /// Stops where it is.
        func pause() { player.pause() }
    }

    /// Lets this process read a file for as long as it lives.
    private final class SecurityScopedAccess {
        private let url: URL
        private let isGranted: Bool

        init(to url: URL) {
            self.url = url
            isGranted = url.startAccessingSecurityScopedResource()
        }

        deinit {
            // Only what was granted is given back: the calls must balance.
            if isGranted { url.stopAccessingSecurityScopedResource() }
        }
    }

    /// Tells of the end of a film for as long as it lives.
    private final class Ending {
        private let observer: any NSObjectProtocol

        init(of item: AVPlayerItem, _ tell: @escaping @MainActor () -> Void) {
            observer = NotificationCenter.default.addObserver(
                forName: AVPlayerItem.didPlayToEndTimeNotification, object: item, queue: .main
            ) { _ in
                MainActor.assumeIsolated(tell)
            }
        }

        deinit { NotificationCenter.default.removeObserver(observer) }
    }

    /// Shows the frames of a film.
    @MainActor
    final class MovieView: UIView {
        override class var layerClass: AnyClass { AVPlayerLayer.self }

        /// Shows a film in place of the one before; nil for none.
        func show(_ player: AVPlayer?) {
            let layer = layer as? AVPlayerLayer
            layer?.player = player
            layer?.videoGravity = .resizeAspect
            isHidden = player == nil
        }
    }
#endif
