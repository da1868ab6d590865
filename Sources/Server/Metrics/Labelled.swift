import CoreMetrics
import Synchronization

/// swift-metrics counters that differ in their labels, created once each.
package final class LabelledCounter: Sendable {
    private let counters = Mutex<[[String]: Counter]>([:])
    private let name: String
    private let labels: [String]
    private let registry: PrometheusRegistry

    package init(
        _ name: String, labels: [String], _ help: String, in registry: PrometheusRegistry
    ) {
        registry.declare(MetricDescription(name, .counter, help))
        self.name = name
        self.labels = labels
        self.registry = registry
    }

    /// Adds to the counter with these values of the labels, in their order.
    package func increment(_ values: String..., by amount: Int = 1) {
        counter(values).increment(by: amount)
    }

    /// Creates the series with a value of 0, so that rates are defined from the start.
    package func prepare(_ values: String...) { counter(values).increment(by: 0) }

    private func counter(_ values: [String]) -> Counter {
        counters.withLock { counters in
            if let known = counters[values] { return known }
            let made = Counter(
                label: name, dimensions: Array(zip(labels, values)), factory: registry)
            counters[values] = made
            return made
        }
    }
}

/// swift-metrics recorders of one histogram that differ in their labels, created once each.
package final class LabelledHistogram: Sendable {
    private let recorders = Mutex<[[String]: Recorder]>([:])
    private let name: String
    private let labels: [String]
    private let registry: PrometheusRegistry

    package init(
        _ name: String, labels: [String], _ help: String,
        bounds: [Double] = MetricDescription.seconds, in registry: PrometheusRegistry
    ) {
        registry.declare(MetricDescription(name, .histogram, help, bounds: bounds))
        self.name = name
        self.labels = labels
        self.registry = registry
    }

    package func record(_ value: Double, _ values: String...) { recorder(values).record(value) }

    package func record(_ duration: Duration, _ values: String...) {
        recorder(values).record(duration / .seconds(1))
    }

    /// Creates the series without a value.
    package func prepare(_ values: String...) { _ = recorder(values) }

    private func recorder(_ values: [String]) -> Recorder {
        recorders.withLock { recorders in
            if let known = recorders[values] { return known }
            let made = Recorder(
                label: name, dimensions: Array(zip(labels, values)), aggregate: true,
                factory: registry)
            recorders[values] = made
            return made
        }
    }
}
