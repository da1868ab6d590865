#if canImport(UserNotificationsUI) && canImport(UIKit)
    import AVFoundation
    import Foundation
    import UIKit

    /// Playback of a sound or movie from the system's store, with security-scoped access.
    @MainActor
    final class MediaPlayback {
        let player: AVPlayer
        private let access: SecurityScopedAccess
        private let endObserver: EndObserver

        /// Opens a file without starting playback.
        ///
        /// At the end, the player returns to the start and `ended` is called.
        init(_ media: ReceivedNotification.Attachment, ended: @escaping @MainActor () -> Void) {
            access = SecurityScopedAccess(to: media.url)
            let item = AVPlayerItem(url: media.url)
            let player = AVPlayer(playerItem: item)
            self.player = player
            endObserver = EndObserver(of: item) { [weak player] in
                player?.seek(to: .zero)
                ended()
            }
        }

        func play() { player.play() }

        func pause() { player.pause() }
    }

    /// Observation of a movie's end until deallocation.
    private final class EndObserver {
        private let observer: any NSObjectProtocol

        init(of item: AVPlayerItem, _ action: @escaping @MainActor () -> Void) {
            observer = NotificationCenter.default.addObserver(
                forName: AVPlayerItem.didPlayToEndTimeNotification, object: item, queue: .main
            ) { _ in
                MainActor.assumeIsolated(action)
            }
        }

        deinit { NotificationCenter.default.removeObserver(observer) }
    }

    @MainActor
    final class MovieView: UIView {
        override class var layerClass: AnyClass { AVPlayerLayer.self }

        /// Replaces the movie; nil hides the view.
        func show(_ player: AVPlayer?) {
            let layer = layer as? AVPlayerLayer
            layer?.player = player
            layer?.videoGravity = .resizeAspect
            isHidden = player == nil
        }
    }
#endif
