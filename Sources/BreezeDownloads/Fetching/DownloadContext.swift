import BreezeCore
import BreezeFiles
import BreezeTransport
import Foundation

/// What the files of one download have in common.
struct DownloadContext: Sendable {
    let transport: any HTTPTransport
    let options: DownloadOptions
    let clock: DownloadClock
    let now: @Sendable () -> Date
    let jitter: @Sendable () -> Double
    let freeBytes: @Sendable (URL) -> Int64?
    let limiter: RateLimiter?
    let folder: StagingFolder
    let meter: ProgressMeter

    /// - Throws: ``BreezeError`` `.insufficientDisk` where so many bytes more would leave less than is
    ///   spared.
    func checkSpace(for needed: Int64) throws {
        guard let free = freeBytes(folder.url) else { return }
        let all = needed.addingReportingOverflow(options.spareDiskBytes)
        if all.overflow || all.partialValue > free {
            throw FileFault.noSpace(
                at: folder.url,
                needed: all.overflow ? .max : all.partialValue,
                free: free
            )
        }
    }
}
