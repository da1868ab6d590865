@import UIKit;
@import UserNotifications;
@import UserNotificationsUI;
@import NotificationContentAdapter;

/// Shows the picture below a title of its own, with an action to keep it.
@interface NotificationViewController : UIViewController <UNNotificationContentExtension>
@end

@implementation NotificationViewController {
    THMPictureNotificationViewController *_picture;
}

- (void)viewDidLoad {
    [super viewDidLoad];
    _picture = [[THMPictureNotificationViewController alloc]
        initWithAppGroup:@"group.example.daily-pick"];
    [_picture setKeepActionWithIdentifier:@"keep" keepTitle:@"Keep" releaseTitle:@"Let go"];
    [self addChildViewController:_picture];
    _picture.view.frame = self.view.bounds;
    _picture.view.autoresizingMask =
        UIViewAutoresizingFlexibleWidth | UIViewAutoresizingFlexibleHeight;
    [self.view addSubview:_picture.view];
    [_picture didMoveToParentViewController:self];
}

// The child's height follows from its picture's ratio.
- (void)preferredContentSizeDidChangeForChildContentContainer:(id<UIContentContainer>)container {
    self.preferredContentSize = container.preferredContentSize;
}

- (void)didReceiveNotification:(UNNotification *)notification {
    [_picture didReceiveNotification:notification];
    self.title = notification.request.content.title;
}

- (void)didReceiveNotificationResponse:(UNNotificationResponse *)response
                     completionHandler:
                         (void (^)(UNNotificationContentExtensionResponseOption))completion {
    [_picture didReceiveNotificationResponse:response completionHandler:completion];
}

- (UNNotificationContentExtensionMediaPlayPauseButtonType)mediaPlayPauseButtonType {
    return _picture.mediaPlayPauseButtonType;
}

- (CGRect)mediaPlayPauseButtonFrame {
    return _picture.mediaPlayPauseButtonFrame;
}

- (UIColor *)mediaPlayPauseButtonTintColor {
    return _picture.mediaPlayPauseButtonTintColor;
}

- (void)mediaPlay {
    [_picture mediaPlay];
}

- (void)mediaPause {
    [_picture mediaPause];
}

@end
