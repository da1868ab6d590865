import AttachmentContainer
import AttachmentFormats
package import AttachmentModel
import AttachmentPlanning
import CSystemCalls
import Foundation

extension AttachmentRenderer {
    /// Reduces a picture by the engine of rows, and encodes it in the best quality within the order's
    /// bytes.
    ///
    /// It is for renditions, which that engine reads all of: other pictures that need libvips are
    /// refused.
    package func encodeStill(
        _ file: AttachmentFile, _ order: StillOrder, by deadline: ContinuousClock.Instant?,
        with encoder: any StillEncoder
    ) async throws(AttachmentError) -> EncodedStill {
        let cancellation = Cancellation(deadline: deadline)
        let request = RenderRequest(file, to: .open([]), by: deadline)
        do throws(AttachmentError) {
            guard case .picture(var header) = try probe(request) else {
                throw AttachmentError(
                    .unsupported, file: file.path, reason: "sound and movies have no still")
            }
            // Of an animation, the still of its file.
            header = header.still ?? header
            header.mustBeEncoded = true
            while true {
                let budget = budget
                let step = try step(of: header, order, encoder, file.path, within: budget)
                let still = try await granted(step, of: budget, for: request) {
                    grant throws(AttachmentError) in
                    defer { thimble_trim_heap() }
                    return try encodeStill(step.plan, request, order, grant, cancellation, encoder)
                }
                // Other attachments have left memory behind since the budget was read.
                if let still { return still }
            }
        } catch {
            throw error.code == .cancelled ? cancellation.error(for: file.path) : error
        }
    }

    /// The ladder for one rendition whose longer side is at most `side` pixels.
    private func ladder(
        of header: AttachmentHeader, fitting side: Int, from file: String
    ) throws(AttachmentError) -> PlanLadder {
        let upright = header.uprightSize
        var settings = planning
        settings.presets = .content
        settings.engine = .automatic
        // The format has no other colours.
        settings.colourSpace = .sRGB
        settings.scale = 1
        settings.bannerSide = 1
        settings.cropRatio = nil
        // Rounded down, because the height follows from it.
        let narrow = side * upright.width / upright.height
        settings.width = Double(max(1, min(side, narrow)))
        let planner = planner(settings)
        guard planner.canDecode(header) else { throw .notBuilt(file, header) }
        return planner.ladder(header)
    }

    /// The step that leaves memory to the encoder, which follows the decoder.
    private func step(
        of header: AttachmentHeader, _ order: StillOrder, _ encoder: any StillEncoder,
        _ file: String, within budget: MemoryBudget
    ) throws(AttachmentError) -> PlanLadder.Step {
        let ladder = try ladder(of: header, fitting: order.side, from: file)
        guard let own = ladder.without(.libvips) else {
            throw .needsLibvips(file, ladder.cheapest.plan)
        }
        let demand = { (step: PlanLadder.Step) in
            ByteCount(step.demand.total(in: budget).bytes + encoder.demand.bytes)
        }
        guard
            let step = own.steps.first(where: {
                $0.fits(in: budget) && demand($0) <= budget.work
            })
        else {
            throw AttachmentError(
                .overCap, file: file,
                reason: "an inline picture takes \(demand(own.cheapest)), and the cap leaves "
                    + "\(budget.work) of \(budget.cap.footprint)")
        }
        let size = step.plan.expandedSize
        guard max(size.width, size.height) <= StillOrder.longestSide else {
            throw AttachmentError(
                .unsupported, file: file,
                reason: "the picture is too narrow for an inline picture: \(header.uprightSize)",
                remedy: "send it without an inline picture")
        }
        return step
    }

    private func encodeStill(
        _ plan: Plan, _ request: RenderRequest, _ order: StillOrder, _ grant: MemoryLedger.Grant,
        _ cancellation: Cancellation, _ encoder: any StillEncoder
    ) throws(AttachmentError) -> EncodedStill {
        let context = RenderingContext(
            plan: plan, file: request.file,
            strictness: DecodeStrictness(for: plan.header.format, tolerant: false),
            cancellation: cancellation, secondThread: nil, grant: grant, settings: settings,
            scratch: plan.usesScratch ? scratch : nil, permittedScratch: scratch,
            conversionHeap: try conversionHeap(for: plan.decodedHeader, request.file),
            outputs: RenditionOutputs(from: request.outputs))
        let reduced = try RowEngine(frame: nil).reduced(context, asRGB: true)
        // Free heap pages of the decoder count toward the footprint of the encoder.
        thimble_trim_heap()
        guard grant.covers(encoder.demand) else {
            throw AttachmentError(
                .overCap, file: request.file.path,
                reason: "an inline picture takes \(encoder.demand) more than is free")
        }
        // Fitting chroma comes before the encoder, and takes less of the same grant.
        let planes = StillPlanes(
            of: reduced, halvesChroma: !order.keepsFullChroma, atMost: order.bytes)
        thimble_trim_heap()
        do throws(StillFailure) {
            let made = try encoder.encode(
                planes, atMost: order.bytes, isCancelled: context.isCancelled)
            return EncodedStill(
                planes.size, temporalUnit: Data(made.unit), encodes: made.encodes)
        } catch {
            switch error {
            case .cancelled: throw .cancelled(request.file.path)
            case .overBudget:
                throw AttachmentError(
                    .doesNotFit, file: request.file.path,
                    reason: "the coarsest inline picture takes more than \(order.bytes) bytes",
                    remedy: "leave more room in the payload, or send no inline picture")
            case .noMemory:
                throw AttachmentError(
                    .overCap, file: request.file.path,
                    reason: "\(encoder.library) has not enough memory")
            case .failed(let reason):
                throw AttachmentError(
                    .unsupported, file: request.file.path,
                    reason: "\(encoder.library) cannot encode the inline picture: \(reason)",
                    remedy: "update libaom, or send no inline picture")
            }
        }
    }
}
