/// A dictionary that forgets the values that were not used recently.
///
/// It keeps at least the last `capacity` values used, and at most twice as many.
package struct RecentValues<Key: Hashable, Value> {
    private let capacity: Int
    private var recent: [Key: Value] = [:]
    /// Values not used since `recent` was last full.
    private var former: [Key: Value] = [:]

    /// `capacity` 0 keeps no values.
    package init(capacity: Int) {
        self.capacity = capacity
        recent.reserveCapacity(min(capacity, 64))
    }

    /// The value of a key, which counts as use; nil if it is unknown.
    package subscript(key: Key) -> Value? {
        mutating get {
            if let value = recent[key] { return value }
            guard let value = former.removeValue(forKey: key) else { return nil }
            insert(value, for: key)
            return value
        }
        set {
            guard let newValue else {
                recent[key] = nil
                former[key] = nil
                return
            }
            insert(newValue, for: key)
        }
    }

    private mutating func insert(_ value: Value, for key: Key) {
        guard capacity > 0 else { return }
        if recent.count >= capacity, recent[key] == nil {
            former = recent
            recent = [:]
        }
        recent[key] = value
        former[key] = nil
    }
}

extension RecentValues: Sendable where Key: Sendable, Value: Sendable {}
