import AttachmentContainer
import AttachmentModel
import AttachmentFormats
import AttachmentPipeline
import CScratchHeap
import Foundation
import WorkerProtocol

typealias Outbox = MessageWriter<WorkerMessage>

/// A configured worker.
struct Session {
    /// Message to the supervisor before the first attachment.
    let ready: WorkerReady
    private let renderer: AttachmentRenderer
    private let stillEncoder: (any StillEncoder)?

    /// Loads the libraries, enters the sandbox, and sets `RLIMIT_DATA` if configured.
    ///
    /// Must run before a second thread exists, because the sandbox applies to the calling thread
    /// only.
    init(
        _ configuration: WorkerConfiguration, _ formats: [PictureFormat],
        _ fallback: FallbackEngine?, _ stillEncoder: (any StillEncoder)?, _ scratch: CInt,
        _ outbox: Outbox
    ) throws(Fault) {
        self.stillEncoder = stillEncoder
        guard configuration.version == WorkerConfiguration.version else {
            throw .versions(
                WorkerConfiguration.version, of: "thimble-worker", and: configuration.version)
        }
        do {
            // Before the sandbox, because libraries are files too, and libvips loads modules when
            // it starts.
            fallback?.engine.warmUpAlone()
            // Only control groups count memory beside the footprint.
            if configuration.overhead > ByteCount(0) { thimble_libraries_read_singly() }
            let sandbox = try Sandbox.enter(SandboxPolicy(of: configuration, scratch, outbox))
            let files = ScratchFiles(socket: scratch)
            let source = ScratchSource.supply(in: configuration.settings.scratchFolder ?? "") {
                () throws(MessageError) in try files.next()
            }
            let settings = configuration.settings
            var reserve = ByteCount(MemoryBudget.workerReserve.bytes + configuration.overhead.bytes)
            var limit: DataLimit?
            if let cap = configuration.ownLimit {
                // A first run loads everything, because later mappings would not be part of the
                // sum.
                _ = try AttachmentRenderer(
                    settings: settings, scratch: source, reserve: MemoryBudget.workerReserve,
                    placement: nil, fallback: fallback)
                limit = DataLimit.set(forCap: cap.footprint)
                guard let limit else {
                    throw Fault.unable(
                        "RLIMIT_DATA cannot be set", remedy: "choose another enforcement of the cap"
                    )
                }
                thimble_heap_exit_when_exhausted(MemoryExhaustion.exitCode)
                reserve = ByteCount(
                    reserve.bytes + limit.unusable(byLibvips: fallback != nil).bytes)
            }
            var renderer = try AttachmentRenderer(
                settings: settings, scratch: source, reserve: reserve,
                placement: thimble_heap_prepare()
                    ? HeapPlacement(
                        take: thimble_heap_take, place: thimble_heap_place,
                        confine: {
                            thimble_heap_confine($0, MemoryExhaustion.decoderExitCode)
                        },
                        giveBack: thimble_heap_give_back) : nil, formats: formats,
                fallback: fallback)
            renderer.blocksItsThread = true
            renderer.willDecode = { rung, predictedPeak in
                outbox.send(.started(WorkerStarted(rung: rung, predictedPeak: predictedPeak)))
            }
            self.renderer = renderer
            ready = WorkerReady(
                libvips: fallback?.engine.version, baseline: Footprint.current() ?? ByteCount(0),
                limit: limit, sandbox: sandbox)
        } catch let fault as Fault {
            throw fault
        } catch let error as any FaultConvertible {
            throw error.fault
        } catch {
            throw .unable("\(error)", remedy: "run thimble with --verbose, and report it")
        }
    }

    var isWornOut: Bool {
        var used = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used)
        return used.tv_sec >= WorkerConfiguration.secondsToRetirement
    }

    func answer(_ request: WorkerRequest, _ descriptors: [CInt]) async -> WorkerMessage {
        let files = descriptors.map { OwnedDescriptor($0) }
        do throws(AttachmentError) {
            // The supervisor knows the name and adds it to errors.
            let file = try AttachmentFile(descriptor: dup(files[0].descriptor), path: "")
            var render = RenderRequest(file, to: .open(Array(files.dropFirst())))
            render.deadline = request.time.map { .now + $0 }
            render.below = request.below
            render.known = request.known
            render.isPoster = request.isPoster
            render.presets = request.presets
            render.threads = request.threads
            return .done(try await renderer.render(render).rendering)
        } catch {
            guard error.code == .overCap, let limit = ready.limit else { return .failed(error) }
            return .failed(
                AttachmentError(
                    .overCap, file: error.file,
                    error.fault.with(
                        reason:
                            "\(error.reason); RLIMIT_DATA also counts \(limit.untouched) that are "
                            + "mapped and not used, which a control group does not"),
                    detail: error.detail))
        }
    }

    /// Encodes a still of the picture in the only descriptor, and closes it.
    func answer(_ request: StillRequest, _ descriptors: [CInt]) async -> WorkerMessage {
        do throws(AttachmentError) {
            let file = try AttachmentFile(descriptor: descriptors[0], path: "")
            guard let stillEncoder else {
                throw AttachmentError(
                    .unsupported, file: "",
                    reason: "this worker has no encoder for inline pictures",
                    remedy: "build Thimble with the system's codecs")
            }
            return .still(
                try await renderer.encodeStill(
                    file, request.order, by: request.time.map { .now + $0 }, with: stillEncoder))
        } catch {
            return .failed(error)
        }
    }

    /// Reads the header of the attachment in the only descriptor, and closes it.
    func inspect(_ descriptors: [CInt]) -> WorkerMessage {
        do throws(AttachmentError) {
            let file = try AttachmentFile(descriptor: descriptors[0], path: "")
            return .inspected(try renderer.inspect(file))
        } catch {
            return .failed(error)
        }
    }
}

extension SandboxPolicy {
    /// Keeps only the protocol descriptors and the process's own procfs files; attachments, output
    /// files and scratch files arrive as descriptors.
    fileprivate init(of configuration: WorkerConfiguration, _ scratch: CInt, _ outbox: Outbox) {
        self.init()
        mode = configuration.sandbox
        limits = configuration.limits
        descriptors = [outbox.descriptor, scratch] + Footprint.openFiles()
        inboxes = [STDIN_FILENO, scratch]
    }
}

extension DataLimit {
    /// Memory that plans leave free.
    ///
    /// Plans predict footprint, but the limit also counts untouched mappings: existing ones, and the
    /// stacks of threads started for decoding.
    ///
    /// In the worker with libvips, glibc's heap also grows by 128 KiB more than is asked for (mallopt(3),
    /// `M_TOP_PAD`). Without this part, CMYK lost workers at caps that were named as enough.
    fileprivate func unusable(byLibvips isLibvips: Bool) -> ByteCount {
        ByteCount(untouched.bytes + Self.untouchedByWork + (isLibvips ? 128 << 10 : 0))
    }

    /// Untouched mappings of decoding, in bytes: three quarters of the stacks of three libvips
    /// threads and one libde265 thread.
    private static let untouchedByWork = 4 * threadStack / 4 * 3
}
