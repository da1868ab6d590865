import AttachmentContainer
import AttachmentDecoding
import AttachmentFootprint
import AttachmentIntake
import AttachmentPipeline
import AttachmentPlanning
import CScratchHeap
import Foundation
import ProcessSandbox
import WorkerProtocol

/// A worker that has been told how to work.
struct Session {
    /// Why it cannot.
    struct Refusal: Error {
        let reason: String
    }

    /// What the supervisor is told before the first attachment.
    let ready: WorkerReady
    private let renderer: AttachmentRenderer

    /// Starts the libraries, enters the sandbox, and limits this process where it has to do so
    /// itself.
    ///
    /// Called before there is any thread but this one, since the sandbox is not for others.
    init(
        _ configuration: WorkerConfiguration, _ scratch: CInt, _ outbox: Outbox
    ) throws(Refusal) {
        guard configuration.version == WorkerConfiguration.version else {
            throw Refusal(
                reason: "thimble speaks version \(configuration.version) of the protocol, and this "
                    + "thimble-worker version \(WorkerConfiguration.version)")
        }
        do {
            // Libraries are files as well, and libvips loads some of its own when it starts.
            Libraries.warmUpAlone()
            let sandbox = try Sandbox.enter(
                SandboxPolicy(of: configuration, scratch, outbox))
            let files = ScratchFiles(socket: scratch)
            let source = ScratchSource.supply(in: configuration.settings.scratchFolder ?? "") {
                () throws(MessageError) in try files.next()
            }
            var settings = configuration.settings
            var limit: DataLimit?
            if configuration.limitsItself {
                // Once to load everything, since what is loaded afterwards is not in the sum.
                _ = try AttachmentRenderer(
                    settings: settings, scratch: source, reserve: MemoryBudget.workerReserve,
                    placement: nil)
                limit = DataLimit.set(forCap: configuration.cap.footprint)
                guard let limit else { throw Refusal(reason: "RLIMIT_DATA cannot be set") }
                thimble_heap_exit_when_exhausted(MemoryExhaustion.exitCode)
                guard limit.room >= .mebibytes(1) else {
                    throw Refusal(
                        reason: "of the cap of \(configuration.cap), RLIMIT_DATA leaves "
                            + "\(limit.room) beside what the libraries take")
                }
                // Who plans for more than the cap means to.
                if settings.cap <= configuration.cap {
                    settings.cap = min(settings.cap, limit.plannable(of: configuration.cap))
                }
            }
            var renderer = try AttachmentRenderer(
                settings: settings, scratch: source, reserve: MemoryBudget.workerReserve,
                placement: thimble_heap_prepare()
                    ? HeapPlacement(
                        take: thimble_heap_take, place: thimble_heap_place,
                        giveBack: thimble_heap_give_back) : nil)
            renderer.blocksItsThread = true
            renderer.willDecode = { rung, predictedPeak in
                outbox.send(.started(WorkerStarted(rung: rung, predictedPeak: predictedPeak)))
            }
            self.renderer = renderer
            ready = WorkerReady(
                libvips: Libraries.vipsVersion, baseline: Footprint.current() ?? ByteCount(0),
                limit: limit, sandbox: sandbox)
        } catch let refusal as Refusal {
            throw refusal
        } catch {
            throw Refusal(reason: "\(error)")
        }
    }

    /// True if this process has done its work: its processor time is limited, and another goes on.
    var isWornOut: Bool {
        var used = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used)
        return used.tv_sec >= WorkerConfiguration.secondsToRetirement
    }

    /// Processes one attachment.
    func answer(_ request: WorkerRequest, _ descriptors: [CInt]) async -> WorkerMessage {
        let files = descriptors.map { OwnedDescriptor($0) }
        do throws(AttachmentError) {
            // The supervisor has the name, and puts it into errors.
            let file = try AttachmentFile(descriptor: dup(files[0].descriptor), path: "")
            var render = RenderRequest(file, to: .open(Array(files.dropFirst())))
            render.deadline = request.time.map { .now + $0 }
            render.below = request.below
            render.known = request.known
            render.isPoster = request.isPoster
            return .done(try await renderer.render(render).rendering)
        } catch {
            guard error.code == .overCap, let limit = ready.limit else { return .failed(error) }
            return .failed(
                AttachmentError(
                    .overCap, file: error.file,
                    reason: "\(error.reason); RLIMIT_DATA also counts \(limit.untouched) that are "
                        + "mapped and not used, which a control group does not",
                    detail: error.detail))
        }
    }
}

extension SandboxPolicy {
    /// What a worker keeps: the ways to its supervisor, and what it reads about itself.
    ///
    /// It opens no path: attachments, files for renditions and scratch files come as descriptors.
    fileprivate init(
        of configuration: WorkerConfiguration, _ scratch: CInt, _ outbox: Outbox
    ) {
        self.init()
        mode = configuration.sandbox
        limits = configuration.limits
        descriptors = [outbox.descriptor, scratch] + Footprint.openFiles()
        inboxes = [STDIN_FILENO, scratch]
    }
}

extension DataLimit {
    /// The cap to make plans for.
    ///
    /// Plans are made of footprint, and the limit counts what is mapped and never touched as well:
    /// what is so already, and the stacks of threads that decoding starts.
    fileprivate func plannable(of cap: MemoryCap) -> MemoryCap {
        MemoryCap(ByteCount(max(1, cap.footprint.bytes - untouched.bytes - Self.untouchedByWork)))
    }

    /// What decoding maps and does not touch, in bytes: three quarters of the stacks of libvips'
    /// three threads and of the one of libde265.
    private static let untouchedByWork = 4 * threadStack / 4 * 3
}
