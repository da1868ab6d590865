/// A queue in an array: first in, first out, in constant time on average.
package struct FIFO<Element> {
    /// Elements before `head` are already removed.
    private var elements: [Element?] = []
    private var head = 0

    package init() {}

    package var count: Int { elements.count - head }

    package var isEmpty: Bool { count == 0 }

    package var first: Element? { isEmpty ? nil : elements[head] }

    package var last: Element? { isEmpty ? nil : elements[elements.count - 1] }

    /// The elements, the first one first.
    package var all: [Element] { elements[head...].compactMap(\.self) }

    package mutating func removeLast() { if !isEmpty { elements.removeLast() } }

    package mutating func append(_ element: Element) { elements.append(element) }

    @discardableResult
    package mutating func removeFirst() -> Element? {
        guard !isEmpty else { return nil }
        let first = elements[head]
        elements[head] = nil
        head += 1
        // Each element is moved once on average, and the memory of a burst is returned.
        if head > 16, head > count {
            elements = Array(elements[head...])
            head = 0
        }
        return first
    }

    package mutating func removeAll(where isRemoved: (Element) -> Bool) {
        elements = elements[head...].filter { $0.map { !isRemoved($0) } ?? false }
        head = 0
    }

    /// Moves the first element to the end.
    package mutating func rotate() {
        if let first = removeFirst() { append(first) }
    }
}

extension FIFO: Sendable where Element: Sendable {}
