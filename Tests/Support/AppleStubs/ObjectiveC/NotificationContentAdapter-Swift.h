// The part of the header that Swift generates for this module which Objective-C uses. check.sh compares its
// names with the attributes in the sources.
#pragma once
@import UIKit;
@import UserNotifications;
@import UserNotificationsUI;

__attribute__((objc_subclassing_restricted))
@interface THMNotificationPictureView : UIView
@end

__attribute__((objc_subclassing_restricted))
@interface THMPictureNotificationViewController : UIViewController <UNNotificationContentExtension>
@property (readonly) NSString *appGroup;
@property (readonly) THMNotificationPictureView *pictureView;
@property NSArray<UNNotificationAction *> *notificationActions;
- (instancetype)initWithAppGroup:(NSString *)appGroup;
- (void)setKeepActionWithIdentifier:(NSString *)identifier
                          keepTitle:(NSString *)keepTitle
                       releaseTitle:(NSString *)releaseTitle;
- (void)performNotificationDefaultAction;
- (void)dismissNotificationContentExtension;
- (void)startMedia;
- (void)pauseMedia;
@end
