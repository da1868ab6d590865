// https://developer.apple.com/documentation/uikit
#pragma once
@import Foundation;

@interface UIColor : NSObject
@end

typedef NS_OPTIONS(NSUInteger, UIViewAutoresizing) {
    UIViewAutoresizingFlexibleWidth = 1 << 1,
    UIViewAutoresizingFlexibleHeight = 1 << 4,
};

@interface UIView : NSObject
@property CGRect frame;
@property CGRect bounds;
@property UIViewAutoresizing autoresizingMask;
- (void)addSubview:(UIView *)view;
@end

@protocol UIContentContainer <NSObject>
@property (readonly) CGSize preferredContentSize;
- (void)preferredContentSizeDidChangeForChildContentContainer:(id<UIContentContainer>)container;
@end

@interface UIViewController : NSObject <UIContentContainer>
@property UIView *view;
@property NSString *title;
@property CGSize preferredContentSize;
- (void)viewDidLoad;
- (void)addChildViewController:(UIViewController *)child;
- (void)didMoveToParentViewController:(UIViewController *)parent;
@end
