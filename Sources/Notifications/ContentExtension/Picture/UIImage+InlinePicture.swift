#if canImport(UserNotificationsUI) && canImport(UIKit)
    import Foundation
    public import NotificationPayload
    public import UIKit

    extension UIImage {
        /// Decodes a picture that came inside a payload, at most 256 pixels a side.
        ///
        /// The system decodes AVIF from iOS 16 on. A device has not shown yet that it decodes chroma at
        /// full size.
        ///
        /// - Parameter picture: The picture; nil as the result if the system cannot decode it, or to
        ///   another size.
        public convenience init?(_ picture: InlinePicture) {
            guard let image = UIImage(data: Data(picture.file)), let decoded = image.cgImage,
                image.size.width * image.scale == CGFloat(picture.width),
                image.size.height * image.scale == CGFloat(picture.height)
            else { return nil }
            self.init(cgImage: decoded)
        }
    }
#endif
