// https://developer.apple.com/documentation/usernotifications
#pragma once
@import Foundation;

@interface UNNotificationContent : NSObject
@property (readonly) NSString *title;
@property (readonly) NSDictionary *userInfo;
@end

@interface UNMutableNotificationContent : UNNotificationContent
@property (copy) NSString *title;
@end

@interface UNNotificationRequest : NSObject
@property (readonly) UNNotificationContent *content;
@end

@interface UNNotification : NSObject
@property (readonly) UNNotificationRequest *request;
@end

@interface UNNotificationResponse : NSObject
@property (readonly) UNNotification *notification;
@end

@interface UNNotificationAction : NSObject
@end

@interface UNNotificationServiceExtension : NSObject
- (void)didReceiveNotificationRequest:(UNNotificationRequest *)request
                   withContentHandler:(void (^)(UNNotificationContent *))contentHandler;
- (void)serviceExtensionTimeWillExpire;
@end
