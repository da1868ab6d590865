/// Says what was given up of an animation, and why.
struct AnimationNotes {
    private let outline: AnimationOutline
    private let settings: AnimationSettings

    /// Prepares notes.
    ///
    /// - Parameters:
    ///   - outline: The animation.
    ///   - settings: What was asked of the output.
    init(_ outline: AnimationOutline, _ settings: AnimationSettings) {
        (self.outline, self.settings) = (outline, settings)
    }

    /// Describes the way from the animation to a rung.
    ///
    /// - Parameters:
    ///   - rung: The rung that was taken.
    ///   - schedule: The frames that it shows.
    ///   - damaged: How many frames could not be drawn as the file means them.
    /// - Returns: A sentence each without its full stop.
    func notes(_ rung: AnimationRung, _ schedule: FrameSchedule, damaged: Int) -> [String] {
        var notes: [String] = []
        if rung.width < outline.width || rung.height < outline.height {
            notes.append(
                "the animation was reduced from \(outline.width) × \(outline.height) to"
                    + " \(rung.width) × \(rung.height) pixels: \(reason(rung, schedule))")
        }
        if rung.treatment != .best {
            notes.append(
                "the animation has at most \(rung.treatment.colours) colours a frame and is coarser:"
                    + " \(fileReason)")
        }
        if schedule.slots.count < schedule.frameCount {
            notes.append(
                "\(schedule.slots.count) frames stand for \(schedule.frameCount), with the time"
                    + " kept: "
                    + (rung.stride > 1 ? budgetReason : "a GIF cannot show frames as short"))
        }
        if schedule.frameCount < outline.delays.count {
            notes.append(
                "the animation ends after \(seconds(schedule.milliseconds)) of"
                    + " \(seconds(outline.milliseconds)): \(budgetReason)")
        }
        if damaged > 0 {
            notes.append(
                "\(damaged) frames of the animation are damaged and shown as far as they go")
        }
        if outline.isCut { notes.append("the file breaks off, and the animation with it") }
        if !outline.isWellFormed {
            notes.append("the file has stray bytes between its blocks, or no trailer")
        }
        return notes
    }

    /// Why it got smaller: for the display, for the memory of whoever shows it, or for the file.
    private func reason(_ rung: AnimationRung, _ schedule: FrameSchedule) -> String {
        let share = min(
            1, Double(settings.width) / Double(outline.width),
            Double(settings.height) / Double(outline.height))
        let (width, height) = (Double(outline.width) * share, Double(outline.height) * share)
        let wanted = Int(width) * Int(height)
        if rung.width * rung.height >= wanted { return "no more is shown" }
        let decoded = wanted * 4 * schedule.slots.count
        return decoded > settings.renderBytes ? renderReason : fileReason
    }

    private var renderReason: String {
        "its frames may take \(settings.renderBytes) bytes when they are decoded"
    }

    private var fileReason: String { "the file may have \(settings.bytes) bytes" }

    private var budgetReason: String { "\(fileReason), and \(renderReason)" }

    private func seconds(_ milliseconds: Int) -> String {
        // Not by String(format:), for which every worker would link ICU: 0.5 MB of its footprint.
        "\((Double(milliseconds) / 100).rounded() / 10) seconds"
    }
}
