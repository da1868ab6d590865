import AttachmentContainer
import AttachmentModel
import Foundation
import PrometheusMetrics

/// Metrics of the process itself, under the names of Prometheus client libraries.
extension ServiceMetrics {
    func declareProcess() {
        #if os(Linux)
            gauge(
                "process_resident_memory_bytes", "Resident memory of this process, without workers."
            ) {
                guard let status = ProcessStatus(of: "self") else { return 0 }
                return status.footprint.bytes + status.fileBacked.bytes
            }
            gauge(
                "process_anonymous_memory_bytes", "Resident anonymous memory of this process."
            ) { ProcessStatus(of: "self")?.anonymous.bytes ?? 0 }
        #endif
        gauge("process_open_fds", "Open file descriptors.") {
            (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd"))?.count ?? 0
        }
        let start = Date().timeIntervalSince1970
        registry.declare(
            MetricDescription(
                "process_start_time_seconds", .gauge, "Start of the process, in Unix time.")
        ) { [.init(start)] }
        registry.declare(
            MetricDescription("process_cpu_seconds_total", .counter, "Processor time.")
        ) {
            var usage = rusage()
            #if os(Linux)
                let own = __rusage_who_t(RUSAGE_SELF.rawValue)
            #else
                let own = RUSAGE_SELF
            #endif
            getrusage(own, &usage)
            let times = [usage.ru_utime, usage.ru_stime]
            return [.init(times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 })]
        }
    }
}
