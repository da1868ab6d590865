// The part of the header that Swift generates for this module which Objective-C uses. check.sh compares its
// names with the attributes in the sources.
#pragma once
@import UserNotifications;

__attribute__((objc_subclassing_restricted))
@interface THMPictureServiceExtension : UNNotificationServiceExtension
@property (readonly) NSString *appGroup;
@property (readonly) NSSet<NSString *> *categories;
@property (readonly) BOOL hidesThumbnail;
- (instancetype)initWithAppGroup:(NSString *)appGroup
                      categories:(NSSet<NSString *> *)categories
                  hidesThumbnail:(BOOL)hidesThumbnail;
@end
