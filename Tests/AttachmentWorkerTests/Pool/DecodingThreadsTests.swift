import Testing

@testable import AttachmentWorker

@Suite("Threads for each attachment")
struct DecodingThreadsTests {
    @Test(
        "Automatically, a second thread is granted while the cores are more than the threads in use",
        arguments: [
            (1, [1, 1, 1]), (2, [2, 1, 1]), (3, [2, 1, 1]), (4, [2, 2, 1]), (8, [2, 2, 2]),
        ])
    func automatic(cores: Int, granted: [Int]) {
        let roster = WorkerRoster(places: 3, threads: .automatic, cores: cores)
        #expect(granted.map { _ in roster.takeThreads() } == granted)
        // An attachment that ends gives its threads back.
        for count in granted { roster.giveBack(threads: count) }
        #expect(granted.map { _ in roster.takeThreads() } == granted)
    }

    @Test("A number stands whatever the cores", arguments: [1, 2, 64])
    func numbers(cores: Int) {
        for (choice, count) in [(DecodingThreads.one, 1), (.two, 2)] {
            let roster = WorkerRoster(places: 2, threads: choice, cores: cores)
            #expect((0..<3).map { _ in roster.takeThreads() } == [count, count, count])
        }
    }

    @Test("The cores of an affinity are the bits of its mask")
    func affinity() {
        func status(_ mask: String) -> String {
            "Name:\tthimble\nCpus_allowed:\t\(mask)\nCpus_allowed_list:\t0-31\n"
        }
        #expect(AvailableCores.cores(inStatus: status("1")) == 1)
        #expect(AvailableCores.cores(inStatus: status("00000003")) == 2)
        #expect(AvailableCores.cores(inStatus: status("f0,80000001")) == 6)
        #expect(AvailableCores.cores(inStatus: "Name:\tthimble\n") == nil)
    }

    @Test("The least of running cores, affinity and quotas counts, and one at least")
    func least() {
        #expect(AvailableCores.count(running: 4, affinity: 128, quotas: []) == 4)
        #expect(AvailableCores.count(running: 4, affinity: 2, quotas: []) == 2)
        #expect(AvailableCores.count(running: 4, affinity: nil, quotas: [8, 3]) == 3)
        #expect(AvailableCores.count(running: 4, affinity: 2, quotas: [0]) == 1)
    }

    @Test("A quota of processor time counts whole cores, and unlimited is no quota")
    func quotas() {
        #expect(AvailableCores.wholeCores(ofQuota: "max 100000\n") == nil)
        #expect(AvailableCores.wholeCores(ofQuota: "200000 100000\n") == 2)
        #expect(AvailableCores.wholeCores(ofQuota: "150000 100000\n") == 1)
        #expect(AvailableCores.wholeCores(ofQuota: "50000 100000\n") == 0)
        for malformed in ["", "1", "1 0", "a 1", "1 2 3"] {
            #expect(AvailableCores.wholeCores(ofQuota: malformed) == nil)
        }
        #expect(AvailableCores.current() >= 1)
    }
}
