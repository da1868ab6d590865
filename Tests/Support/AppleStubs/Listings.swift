// What the listings of the articles in Sources refer to. listings.awk makes a function of each.
import AttachmentContainer
import AttachmentDecryption
import AttachmentFetch
import AttachmentImageIO
import AttachmentModel
import AttachmentPipeline
import AttachmentPlanning
import AttachmentPublishing
import AttachmentStore
import AttachmentVips
import AttachmentWorker
import Foundation
import NotificationAdapters
import NotificationCheck
import NotificationDelivery
import NotificationPayload
import NotificationStaging
import WorkerProtocol

func example<Value>() -> Value { fatalError() }

struct Encoder {
    func write(to descriptor: Int32) throws {}
}

var container: SharedContainer { example() }
var encoder: Encoder { example() }
var folder: URL { example() }
var identifier: String { example() }
var size: PixelSize { example() }
func manifest(naming rendition: Manifest.Rendition) -> Manifest { example() }

var header: AttachmentHeader { example() }
var inspector: AttachmentInspector { example() }
var pictures: URL { example() }
var processor: AttachmentProcessor { example() }
var rendition: Manifest.Rendition { example() }
var settings: ProcessingSettings { example() }
var picture: Int32 { example() }
var result: Int32 { example() }

var bytes: [UInt8] { example() }
var category: String { example() }
var combinedKey: Data { example() }
var delivery: Delivery {
    get { example() }
    set {}
}
var download: URL { example() }
var fileDigest: Data { example() }
var note: DeliveryNote {
    get { example() }
    set {}
}
var notification: NotificationContent { example() }
var payload: [UInt8] { example() }
var pool: WorkerPool { example() }
var request: DeliveryRequest { example() }
var source: URL { example() }
var stage: DeliveryStage { example() }
func deliver(_ answer: DeliveryAnswer) {}
func digest(of bytes: [UInt8]) -> String { example() }
func log(_ text: String) {}
func send(_ bytes: [UInt8]) {}
