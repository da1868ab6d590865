/// The two programs that workers run.
enum WorkerProgram: String, Hashable, CaseIterable {
    /// Without libvips and its hundred libraries, so it starts in a tenth of the time.
    ///
    /// It hands back what only libvips takes.
    case rows = "thimble-row-worker"
    case libvips = "thimble-worker"
}
