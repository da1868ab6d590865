#if canImport(UserNotificationsUI) && canImport(UIKit)
    public import AttachmentContainer
    import AttachmentDecryption
    import AttachmentModel
    import ImageIO
    public import NotificationPayload
    public import UIKit

    /// A view that shows a notification's colour and placeholder immediately, and then its picture.
    ///
    /// A picture inside the payload takes the place of the placeholder.
    ///
    /// A sealed picture is decrypted where it is read.
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
        /// - Parameters:
        ///   - content: The notification's content in the container.
        ///   - inlinePicture: The picture inside the payload, shown until or instead of the content's. The
        ///     default is nil.
        public func show(_ content: DisplayContent, inlinePicture: InlinePicture? = nil) {
            presentation?.cancel()
            animation = nil
            backgroundColor = UIColor(content.averageColour)
            let inline = inlinePicture.flatMap { UIImage($0) }
            imageView.image = inline ?? UIImage(content.placeholder)
            if let playing = content.animation {
                animation = AnimatedImage(of: playing) { [weak self] frame in
                    self?.imageView.image = UIImage(cgImage: frame)
                }
            } else if let picture = content.picture {
                // Also a GIF of one frame, whose playback Apple does not document.
                present { await Self.decodedImage(of: picture) }
            }
        }

        /// Shows a picture of the system's store, for example if a notification has no renditions.
        ///
        /// Colour and placeholder stay if the picture is missing, damaged or too large.
        ///
        /// - Parameters:
        ///   - attachment: A picture attached to the notification.
        ///   - renderBudget: The limit on its decoded bytes (width × height × 4).
        public func show(
            _ attachment: ReceivedNotification.Attachment, within renderBudget: ByteCount
        ) {
            presentation?.cancel()
            present { await Self.decodedImage(of: attachment.url, within: renderBudget) }
        }

        private func present(_ decode: @escaping @Sendable () async -> UIImage?) {
            presentation = Task { [weak self] in
                let image = await decode()
                guard !Task.isCancelled, let image else { return }
                self?.imageView.image = image
            }
        }

        /// Decodes a rendition off the main thread; nil if it is missing, damaged or not authentic.
        @concurrent
        private nonisolated static func decodedImage(
            of picture: DisplayContent.Picture
        ) async -> UIImage? {
            guard picture.isSealed else { return await decodedImage(of: picture.url, within: nil) }
            guard let plaintext = try? picture.plaintext(),
                let file = try? AttachmentFile(plaintext, path: "sealed picture"),
                let provider = file.decryptingProvider(),
                let source = CGImageSourceCreateWithDataProvider(provider, nil),
                let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
            else { return nil }
            return UIImage(cgImage: image).preparingForDisplay()
        }

        /// Decodes a file off the main thread; nil if it is missing, damaged or over a budget.
        @concurrent
        private nonisolated static func decodedImage(
            of file: URL, within budget: ByteCount?
        ) async -> UIImage? {
            let access = SecurityScopedAccess(to: file)
            defer { withExtendedLifetime(access) {} }
            // Reads the header; pixels are decoded on demand.
            guard let image = UIImage(contentsOfFile: file.path) else { return nil }
            let pixels = image.size.width * image.size.height * image.scale * image.scale
            guard budget.map({ 4 * pixels <= Double($0.bytes) }) ?? true else { return nil }
            return image.preparingForDisplay()
        }
    }
#endif
