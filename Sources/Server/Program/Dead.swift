import ArgumentParser
import AttachmentFleet
import AttachmentService
import AttachmentStore
import Foundation
import JobBroker
import Logging
import ServiceOptions

/// `thimble-server dead`: jobs that are not tried again.
struct Dead: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dead",
        abstract: "List, show, retry or drop the jobs that no worker survived.",
        discussion: """
            A job whose workers were lost again and again, and a message that is no job, is kept for \
            operators. Its notification was answered without a picture.

            EXAMPLES
              thimble-server dead list
              thimble-server dead show 3fa4
              thimble-server dead retry 3fa4
              thimble-server dead drop all

            EXIT CODES
              0   done
              1   the broker cannot be used
              3   no dead job has the number
            """,
        subcommands: [List.self, Show.self, Retry.self, Drop.self], defaultSubcommand: List.self)

    /// The jobs that a command concerns.
    struct Choice: ParsableArguments {
        @Argument(help: "Beginning of the job's number, or all.") var job: String
        @OptionGroup var flags: ServiceFlags
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print number, time and source of each job.")

        @OptionGroup var flags: ServiceFlags

        func run() async throws {
            try await Dead.visit("all", flags) { message, _ in
                print(Dead.line(message))
                return false
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print the message of a job.")

        @OptionGroup var choice: Choice

        func run() async throws {
            try await Dead.visit(choice.job, choice.flags) { message, _ in
                print(String(decoding: message.body, as: UTF8.self).printable)
                return false
            }
        }
    }

    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Put a job into the queue campaign again.",
            discussion: "Its result is removed from the store of --publish first.")

        @OptionGroup var choice: Choice

        func run() async throws {
            let configuration = try await Serve.prepare(choice.flags, needsContainer: false)
            let files: ObjectFiles
            do {
                files = try configuration.objectFiles(
                    in: FileManager.default.temporaryDirectory.path, jobs: 1,
                    Logger(label: "thimble-server"))
            } catch {
                Serve.complain("\(error)")
                throw ExitCode.unusable
            }
            try await Dead.visit(choice.job, choice.flags) { message, publisher in
                // Only a job has a result, and a worker that understands it.
                guard let job = try? FleetJob(reading: message.body) else {
                    print("\(Dead.line(message)); it is no job, and stays")
                    return false
                }
                // With its result, the job would be answered from the store.
                try await files.remove(FleetResult.key(job.job), within: .seconds(30))
                try await publisher.publish(message, to: .campaign, by: .now + .seconds(60))
                print("retried \(Dead.line(message))")
                return true
            }
        }
    }

    struct Drop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove a job for ever.")

        @OptionGroup var choice: Choice

        func run() async throws {
            try await Dead.visit(choice.job, choice.flags) { message, _ in
                print("dropped \(Dead.line(message))")
                return true
            }
        }
    }

    /// Passes each dead job to `body`, which returns true to remove it.
    private static func visit(
        _ job: String, _ flags: ServiceFlags,
        _ body: (BrokerMessage, JobPublisher) async throws -> Bool
    ) async throws {
        let loaded = await LoadedConfiguration.load(flags, needsContainer: false)
        guard loaded.errors.isEmpty else {
            loaded.errors.forEach { Serve.complain("\($0)") }
            throw ExitCode.invalidConfiguration
        }
        let configuration = loaded.configuration
        var found = 0
        do {
            let settings = try configuration.brokerSettings()
            let publisher = JobPublisher(settings, Logger(label: "thimble-server"))
            let queues = try QueueInspection.open(settings)
            while let taken = try queues.take(from: .dead) {
                guard job == "all" || taken.message.identifier.hasPrefix(job) else { continue }
                found += 1
                if try await body(taken.message, publisher) { try queues.remove(taken) }
            }
            queues.close()
            await publisher.close()
        } catch {
            Serve.complain("\(error)")
            throw ExitCode.unusable
        }
        guard found > 0 || job == "all" else {
            Serve.complain("no dead job has a number that begins with \(job.printable)")
            throw ExitCode(3)
        }
    }

    private static func line(_ message: BrokerMessage) -> String {
        guard let job = try? FleetJob(reading: message.body) else {
            return "\(message.identifier.printable)  not a job, \(message.body.count) bytes"
        }
        let kind =
            switch job.source {
            case .url: "a URL"
            case .object: "an object"
            case .path: "a path"
            }
        return "\(job.job.prefix(16))  \(job.enqueuedAt.formatted(.iso8601))  \(kind)"
    }
}
