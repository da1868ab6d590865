#if SYSTEM_CODECS
    internal import CVips
#elseif BinaryVips
    internal import CVipsFramework
#endif

extension VipsImage {
    /// Observes the computation of the pixels.
    ///
    /// The computing thread calls `proceed` often, with the completed fraction from 0 to 1. If it
    /// returns false, the computation stops with an error (`vips_image_set_kill`).
    package func onProgress(_ proceed: @escaping (Double) -> Bool) {
        thimble_on_progress(
            pointer,
            { image, progress, context in
                guard let image, let progress, let context else { return }
                let proceed = CallbackBox<(Double) -> Bool>.value(at: context)
                if !proceed(Double(progress.pointee.percent) / 100) {
                    vips_image_set_kill(image, 1)
                }
            },
            CallbackBox(proceed).retained, { context, _ in releaseContext(context) })
    }
}
