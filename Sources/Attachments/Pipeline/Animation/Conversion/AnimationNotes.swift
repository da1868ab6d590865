import AttachmentContainer
import AttachmentFormats

extension AnimationConversion {
    /// Notes on quality that a conversion gave up, with reasons.
    func notes(_ rung: AnimationRung, _ schedule: FrameSchedule, damaged: Int) -> [String] {
        var notes: [String] = []
        if rung.width < outline.width || rung.height < outline.height {
            notes.append(
                "the animation was reduced from \(outline.width) × \(outline.height) to"
                    + " \(rung.width) × \(rung.height) pixels: \(reason(rung, schedule))")
        }
        if rung.quality != .best {
            notes.append(
                "the animation has at most \(rung.quality.colours) colours per frame and is coarser:"
                    + " \(fileReason)")
        }
        if schedule.slots.count < schedule.frameCount {
            notes.append(
                "\(schedule.slots.count) of \(schedule.frameCount) frames are shown, for the same time: "
                    + (rung.stride > 1 ? budgetReason : "a GIF cannot show such short frames"))
        }
        if schedule.frameCount < outline.delays.count {
            notes.append(
                "the animation ends after \(seconds(schedule.milliseconds)) of"
                    + " \(seconds(outline.milliseconds)): \(budgetReason)")
        }
        if damaged > 0 {
            notes.append("\(damaged) frames of the animation are damaged and shown in part")
        }
        if outline.isTruncated { notes.append("the file is truncated, and so is the animation") }
        return notes + outline.faults.texts
    }

    private func reason(_ rung: AnimationRung, _ schedule: FrameSchedule) -> String {
        let share = min(
            1, Double(settings.width) / Double(outline.width),
            Double(settings.height) / Double(outline.height))
        let (width, height) = (Double(outline.width) * share, Double(outline.height) * share)
        let wanted = Int(width) * Int(height)
        if rung.width * rung.height >= wanted { return "it is not displayed larger" }
        let decoded = wanted * 4 * schedule.slots.count
        return decoded > settings.renderBytes ? renderReason : fileReason
    }

    private var renderReason: String {
        "its frames may take \(settings.renderBytes) bytes when they are decoded"
    }

    private var fileReason: String { "the file may have \(settings.bytes) bytes" }

    private var budgetReason: String { "\(fileReason), and \(renderReason)" }

    private func seconds(_ milliseconds: Int) -> String {
        "\((Double(milliseconds) / 1000).fixed(1)) seconds"
    }
}
