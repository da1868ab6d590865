package import AttachmentModel

/// A library that takes the pictures which the engine of rows does not support.
///
/// libvips is one: `FallbackEngine.libvips` of the module `AttachmentVips`.
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

    func makeStills(_ context: RenderingContext) throws(AttachmentError) -> Stills
}
