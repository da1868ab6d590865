internal import CVips

extension VipsImage {
    /// Watches the pixels being computed.
    ///
    /// The closure is called by the thread that computes, many times a picture; when it answers
    /// false the computation stops with an error (`vips_image_set_kill`).
    ///
    /// - Parameter proceed: Gets the share that is done, from 0 to 1; answers whether to go on.
    package func onProgress(_ proceed: @escaping (Double) -> Bool) {
        let context = Unmanaged.passRetained(ProgressWatcher(proceed)).toOpaque()
        thimble_on_progress(
            pointer,
            { image, progress, context in
                guard let image, let progress, let context else { return }
                let watcher = Unmanaged<ProgressWatcher>.fromOpaque(context)
                    .takeUnretainedValue()
                if !watcher.proceed(Double(progress.pointee.percent) / 100) {
                    vips_image_set_kill(image, 1)
                }
            },
            context,
            { context, _ in
                guard let context else { return }
                Unmanaged<ProgressWatcher>.fromOpaque(context).release()
            })
    }
}

/// Carries the closure across the C boundary.
private final class ProgressWatcher {
    let proceed: (Double) -> Bool

    init(_ proceed: @escaping (Double) -> Bool) { self.proceed = proceed }
}
