import Randomness

extension SplitMix64 {
    mutating func roll(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func chance(_ percent: Int) -> Bool { roll(1...100) <= percent }

    mutating func pick<T>(_ values: [T]) -> T { values[roll(0...values.count - 1)] }
}
