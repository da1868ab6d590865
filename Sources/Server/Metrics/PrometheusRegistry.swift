package import CoreMetrics
import Synchronization

/// Metrics of a process, as a swift-metrics factory, and their text for Prometheus.
///
/// Series live as long as the registry: destroying a swift-metrics object keeps its values, because
/// a counter that restarts would show as a reset.
package final class PrometheusRegistry: MetricsFactory {
    private struct Family {
        let description: MetricDescription
        var series: [String: any Series] = [:]
        /// Read at the time of the request instead of recorded.
        var sampler: (@Sendable () -> [Sample])?
    }

    /// A value read at the time of the request.
    package struct Sample: Sendable {
        let labels: String
        let value: Double

        package init(_ value: Double, _ labels: [(String, String)] = []) {
            self.labels = PrometheusText.labels(labels)
            self.value = value
        }
    }

    private let families = Mutex<[String: Family]>([:])

    package init() {}

    /// Declares a metric, which appears in the text even without series.
    package func declare(_ description: MetricDescription) {
        families.withLock { families in
            guard families[description.name] == nil else { return }
            families[description.name] = Family(description: description)
        }
    }

    /// Declares a metric whose values `sampler` reads at the time of each request.
    package func declare(
        _ description: MetricDescription, sampler: @escaping @Sendable () -> [Sample]
    ) {
        families.withLock {
            $0[description.name] = Family(description: description, sampler: sampler)
        }
    }

    /// The text of all metrics, sorted by name.
    package var text: String {
        let families = families.withLock { families in
            families.values.sorted { $0.description.name < $1.description.name }
        }
        var lines: [String] = []
        for family in families {
            let description = family.description
            let name = description.name
            lines.append("# HELP \(name) \(PrometheusText.help(description.help))")
            lines.append("# TYPE \(name) \(description.kind.rawValue)")
            for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) {
                lines += series.lines(name, labels)
            }
            for sample in family.sampler?() ?? [] {
                lines.append(PrometheusText.sample(name, sample.labels, sample.value))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The series with these labels; nil if the metric has another kind.
    private func series<Kind: Series>(
        _ label: String, _ kind: MetricDescription.Kind, _ dimensions: [(String, String)],
        _ make: (MetricDescription) -> Kind
    ) -> Kind? {
        let name = PrometheusText.name(label)
        let labels = PrometheusText.labels(dimensions)
        return families.withLock { families in
            let description =
                families[name]?.description
                ?? MetricDescription(
                    name, kind, "", bounds: kind == .histogram ? MetricDescription.seconds : [])
            guard description.kind == kind else { return nil }
            if let known = families[name]?.series[labels] { return known as? Kind }
            let made = make(description)
            families[name, default: Family(description: description)].series[labels] = made
            return made
        }
    }
}

/// Conformance to `MetricsFactory`; a label that is in use with another kind records nothing.
extension PrometheusRegistry {
    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, .counter, dimensions) { _ in CounterSeries() } ?? NOOPMetricsHandler.instance
    }

    package func makeFloatingPointCounter(
        label: String, dimensions: [(String, String)]
    ) -> any FloatingPointCounterHandler {
        series(label, .counter, dimensions) { _ in CounterSeries() } ?? NOOPMetricsHandler.instance
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        series(label, .gauge, dimensions) { _ in GaugeSeries() } ?? NOOPMetricsHandler.instance
    }

    package func makeRecorder(
        label: String, dimensions: [(String, String)], aggregate: Bool
    ) -> any RecorderHandler {
        guard aggregate else {
            return series(label, .gauge, dimensions) { _ in GaugeSeries() }
                ?? NOOPMetricsHandler.instance
        }
        return histogram(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    private func histogram(_ label: String, _ dimensions: [(String, String)]) -> HistogramSeries? {
        series(label, .histogram, dimensions) { HistogramSeries(bounds: $0.bounds) }
    }

    package func destroyCounter(_: any CounterHandler) {}

    package func destroyFloatingPointCounter(_: any FloatingPointCounterHandler) {}

    package func destroyMeter(_: any MeterHandler) {}

    package func destroyRecorder(_: any RecorderHandler) {}

    package func destroyTimer(_: any TimerHandler) {}
}
