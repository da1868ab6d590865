// A program without a race: what is under a mutex, and what is handed over by a continuation. A
// thread sanitizer that reports it does not see how the standard library's own wait for each other.
import Dispatch
import Synchronization

final class Guarded: Sendable {
    private let numbers = Mutex<[Int]>([])

    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
}

final class Made: Sendable {
    let number: Int

    init(_ number: Int) { self.number = number }
}

let queue = DispatchQueue(label: "control", attributes: .concurrent)

func make(_ number: Int) async -> Made {
    await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: Made(number)) }
    }
}

let guarded = Guarded()
await withTaskGroup(of: Int.self) { group in
    for number in 0..<100_000 {
        group.addTask {
            guarded.add(number)
            return await make(number).number
        }
    }
    await group.waitForAll()
}
