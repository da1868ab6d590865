// Control for the thread sanitizer. It must not report contended mutexes and values handed over by
// continuations. With an argument, it must report an unsynchronised write.
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
nonisolated(unsafe) var unguarded = 0
let races = CommandLine.arguments.count > 1

await withTaskGroup(of: Int.self) { group in
    for number in 0..<100_000 {
        group.addTask {
            if races { unguarded += number } else { guarded.add(number) }
            return await make(number).number
        }
    }
    await group.waitForAll()
}
print(unguarded)
