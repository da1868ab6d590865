// The part of the header that Swift generates for this module which Objective-C uses. check.sh compares its
// names with the attributes in the sources.
#pragma once
@import UserNotifications;

__attribute__((objc_subclassing_restricted))
@interface THMPictureSource : NSObject
- (instancetype)initWithURL:(NSURL *)url headers:(NSDictionary<NSString *, NSString *> *)headers;
- (instancetype)initWithURL:(NSURL *)url
                    headers:(NSDictionary<NSString *, NSString *> *)headers
                 matrixFile:(NSDictionary<NSString *, id> *)matrixFile;
- (instancetype)initWithURL:(NSURL *)url
                    headers:(NSDictionary<NSString *, NSString *> *)headers
                combinedKey:(NSData *)combinedKey
                     digest:(NSData *)digest;
- (instancetype)initWithData:(NSData *)data;
@end

__attribute__((objc_subclassing_restricted))
@interface THMPictureServiceExtension : UNNotificationServiceExtension
@property (readonly) NSString *appGroup;
@property (readonly) NSSet<NSString *> *categories;
@property (readonly) BOOL hidesThumbnail;
@property (copy) void (^prepareHandler)
    (UNMutableNotificationContent *, void (^)(NSError *));
@property (copy) void (^pictureHandler)
    (UNNotificationContent *, void (^)(THMPictureSource *));
- (instancetype)initWithAppGroup:(NSString *)appGroup
                      categories:(NSSet<NSString *> *)categories
                  hidesThumbnail:(BOOL)hidesThumbnail;
@end
