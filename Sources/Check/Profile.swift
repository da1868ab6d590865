// A check takes profiles and offers their near misses, so that its users import one module.
@_exported public import NotificationProfile
