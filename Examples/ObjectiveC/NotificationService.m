@import UserNotifications;
@import NotificationAdapters;

/// Downloads the picture of a push, prepares its renditions, and attaches it.
@interface NotificationService : UNNotificationServiceExtension
@end

@implementation NotificationService {
    THMPictureServiceExtension *_pictures;
}

- (instancetype)init {
    self = [super init];
    if (self) {
        _pictures = [[THMPictureServiceExtension alloc]
            initWithAppGroup:@"group.example.daily-pick"
                  categories:[NSSet setWithObject:@"daily-pick"]
              hidesThumbnail:NO];
    }
    return self;
}

- (void)didReceiveNotificationRequest:(UNNotificationRequest *)request
                   withContentHandler:(void (^)(UNNotificationContent *))contentHandler {
    [_pictures didReceiveNotificationRequest:request withContentHandler:contentHandler];
}

- (void)serviceExtensionTimeWillExpire {
    [_pictures serviceExtensionTimeWillExpire];
}

@end
