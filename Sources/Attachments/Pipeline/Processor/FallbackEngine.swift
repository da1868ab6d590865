package import AttachmentModel
package import AttachmentPlanning

/// A library that takes the pictures which the engine of rows does not support.
///
/// libvips is one: `FallbackEngine.libvips` of the module `AttachmentVips`. The one of
/// `AttachmentImageIO` takes every picture, by plans of its own.
public struct FallbackEngine: Sendable {
    package let engine: any LibraryEngine

    package init(_ engine: any LibraryEngine) { self.engine = engine }
}

/// Decodes, reduces, converts, orients, crops and encodes still pictures.
package protocol PictureEngine {
    /// Makes the renditions of the context's plan.
    func makeStills(_ context: RenderingContext) throws(AttachmentError) -> Stills
}

/// An engine of another library.
package protocol LibraryEngine: PictureEngine, Sendable {
    var version: String { get }

    /// Starts the library, so that its memory counts toward the baseline.
    func warmUp()

    /// Starts the library in a dedicated process, before its sandbox and before a second thread
    /// exists.
    func warmUpAlone()

    /// True if it writes renditions only through `RenditionOutput.target`, which may encrypt them.
    var writesSealedFiles: Bool { get }

    /// Plans of an engine that takes every picture; nil for an engine that uses `Planner`'s plans.
    func ladder(of header: AttachmentHeader, _ settings: ProcessingSettings) -> PlanLadder?
}

extension LibraryEngine {
    package var writesSealedFiles: Bool { false }

    package func ladder(
        of header: AttachmentHeader, _ settings: ProcessingSettings
    ) -> PlanLadder? { nil }
}
