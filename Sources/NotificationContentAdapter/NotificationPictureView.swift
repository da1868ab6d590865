#if canImport(UserNotificationsUI) && canImport(UIKit)
    public import AttachmentContainer
    public import UIKit

    /// Shows what the container has of a notification: colour and likeness at once, then the
    /// picture.
    ///
    /// It opens no file before it has something to show. Pictures are decoded off the main thread;
    /// of one that moves a single frame is held.
    @MainActor
    public final class NotificationPictureView: UIView {
        private let imageView = UIImageView(frame: .zero)
        private var presentation: Task<Void, Never>?
        private var animation: AnimatedImage?

        /// Makes an empty view.
        ///
        /// - Parameter frame: Where it lies, in points.
        override public init(frame: CGRect) {
            super.init(frame: frame)
            addImageView()
        }

        /// Makes an empty view from an archive.
        ///
        /// - Parameter coder: The archive.
        public required init?(coder: NSCoder) {
            super.init(coder: coder)
            addImageView()
        }

        private func addImageView() {
            imageView.frame = bounds
            imageView.autoresizingMask = [.flexibleWidth, .flexibleHeight]
            imageView.contentMode = .scaleAspectFill
            clipsToBounds = true
            addSubview(imageView)
        }

        /// Shows a notification in place of the one before.
        ///
        /// - Parameter content: What the container has of it.
        public func show(_ content: DisplayContent) {
            presentation?.cancel()
            animation = nil
            backgroundColor = UIColor(content.averageColour)
            imageView.image = UIImage(content.placeholder)
            guard let picture = content.animation ?? content.picture else { return }
            if picture.type == RenditionType.gif.rawValue {
                animation = AnimatedImage(of: picture.url) { [weak self] frame in
                    self?.imageView.image = UIImage(cgImage: frame)
                }
            } else {
                presentation = Task { [weak self] in
                    let image = await Self.decodedImage(at: picture.url.path)
                    guard !Task.isCancelled, let image else { return }
                    self?.imageView.image = image
                }
            }
        }

        /// Decodes a file away from the main thread; nil when it is gone or damaged, and then the
        /// likeness stays.
        @concurrent
        private nonisolated static func decodedImage(at path: String) async -> UIImage? {
            UIImage(contentsOfFile: path)?.preparingForDisplay()
        }
    }
#endif
