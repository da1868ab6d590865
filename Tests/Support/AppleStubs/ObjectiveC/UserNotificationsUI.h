// https://developer.apple.com/documentation/usernotificationsui
// The optional requirements are required here, so that a misspelt one is a warning, and so an error.
#pragma once
@import UIKit;
@import UserNotifications;

typedef NS_ENUM(NSUInteger, UNNotificationContentExtensionMediaPlayPauseButtonType) {
    UNNotificationContentExtensionMediaPlayPauseButtonTypeNone,
};

typedef NS_ENUM(NSUInteger, UNNotificationContentExtensionResponseOption) {
    UNNotificationContentExtensionResponseOptionDoNotDismiss,
};

@protocol UNNotificationContentExtension <NSObject>
- (void)didReceiveNotification:(UNNotification *)notification;
- (void)didReceiveNotificationResponse:(UNNotificationResponse *)response
                     completionHandler:
                         (void (^)(UNNotificationContentExtensionResponseOption))completion;
@property (readonly) UNNotificationContentExtensionMediaPlayPauseButtonType mediaPlayPauseButtonType;
@property (readonly) CGRect mediaPlayPauseButtonFrame;
@property (readonly) UIColor *mediaPlayPauseButtonTintColor;
- (void)mediaPlay;
- (void)mediaPause;
@end
