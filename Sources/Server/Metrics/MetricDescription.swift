/// Name, kind and help of a metric.
package struct MetricDescription: Sendable, Hashable {
    package enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    package let name: String
    package let kind: Kind
    package let help: String
    /// Upper bounds of a histogram's buckets, ascending, without infinity.
    package let bounds: [Double]

    package init(_ name: String, _ kind: Kind, _ help: String, bounds: [Double] = []) {
        self.name = PrometheusText.name(name)
        self.kind = kind
        self.help = help
        self.bounds = bounds
    }

    /// Bounds for durations in seconds, from a cache hit to the longest deadline.
    package static let seconds: [Double] = [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60,
    ]
}
