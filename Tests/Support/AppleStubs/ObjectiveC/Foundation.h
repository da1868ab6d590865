// Declarations of Apple's Foundation and CoreGraphics, as far as they are used.
#pragma once

typedef signed char BOOL;
typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef double CGFloat;
#define YES ((BOOL) 1)
#define NO ((BOOL) 0)
#define NS_ENUM(type, name) enum name : type name; enum name : type
#define NS_OPTIONS(type, name) enum name : type name; enum name : type
#define nil ((id) 0)

typedef struct { CGFloat width, height; } CGSize;
typedef struct { CGFloat x, y; } CGPoint;
typedef struct { CGPoint origin; CGSize size; } CGRect;

@protocol NSObject
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject>
+ (instancetype)alloc;
- (instancetype)init;
@end

@interface NSString : NSObject
- (NSString *)stringByAppendingString:(NSString *)text;
@end
@interface NSError : NSObject
@end
@interface NSData : NSObject
@end
@interface NSURL : NSObject
+ (instancetype)URLWithString:(NSString *)text;
@end
@interface NSDictionary<Key, Value> : NSObject
+ (instancetype)dictionaryWithObjects:(const Value[])objects forKeys:(const Key[])keys count:(NSUInteger)count;
- (Value)objectForKeyedSubscript:(Key)key;
@end
@interface NSConstantString : NSString
@end

@interface NSArray<Element> : NSObject
@end

@interface NSSet<Element> : NSObject
+ (instancetype)setWithObject:(Element)object;
@end
