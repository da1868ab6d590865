package import AttachmentModel
package import AttachmentPlanning

/// A library that takes the pictures which the engine of rows does not support.
///
/// libvips is one: `FallbackEngine.libvips` of the module `AttachmentVips`. The one of
/// `AttachmentImageIO` takes every picture, by plans of its own.
public struct FallbackEngine: Sendable {
    package let engine: any PictureEngine

    package init(_ engine: any PictureEngine) { self.engine = engine }
}

package protocol PictureEngine: Sendable {
    var version: String { get }

    /// Starts the library, so that its memory counts toward the baseline.
    func warmUp()

    /// Starts the library in a dedicated process, before its sandbox and before a second thread
    /// exists.
    func warmUpAlone()

    /// Plans of an engine that takes every picture; nil for an engine that uses `Planner`'s plans.
    func ladder(of header: AttachmentHeader, _ settings: ProcessingSettings) -> PlanLadder?

    func makeStills(_ context: RenderingContext) throws(AttachmentError) -> Stills
}

extension PictureEngine {
    package func ladder(
        of header: AttachmentHeader, _ settings: ProcessingSettings
    ) -> PlanLadder? { nil }
}
