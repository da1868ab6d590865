#if canImport(UserNotificationsUI) && canImport(UIKit)
    public import AttachmentContainer
    public import UIKit

    /// A view that shows a notification's colour and placeholder immediately, and then its picture.
    ///
    /// It opens no file until it has something to show. Pictures are decoded off the main thread; an
    /// animation holds one frame at a time.
    @MainActor
    @objc(THMNotificationPictureView)
    public final class NotificationPictureView: UIView {
        private let imageView = UIImageView(frame: .zero)
        private var presentation: Task<Void, Never>?
        private var animation: AnimatedImage?

        /// Creates an empty view.
        ///
        /// - Parameter frame: The frame, in points.
        override public init(frame: CGRect) {
            super.init(frame: frame)
            addImageView()
        }

        /// Creates an empty view from an archive.
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

        /// Shows a notification in place of the previous one.
        ///
        /// - Parameter content: The notification's content in the container.
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

        /// Decodes a file off the main thread; nil if it is missing or damaged.
        @concurrent
        private nonisolated static func decodedImage(at path: String) async -> UIImage? {
            UIImage(contentsOfFile: path)?.preparingForDisplay()
        }
    }
#endif
