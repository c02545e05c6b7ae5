import BreezeCore
import BreezeFiles
import BreezeTestSupport
import Foundation
import Testing

@Suite struct `A lock file` {
    private let folder: ScratchFolder
    private let url: URL

    init() throws {
        folder = try ScratchFolder()
        url = folder.url.appending(path: "a/b/lock")
    }

    @Test func `is made with its folders, and has one holder`() async throws {
        let lock = try await FileLock.acquire(url)
        #expect(try FileLock.ifFree(url) == nil)
        lock.release()
        #expect(try FileLock.ifFree(url) != nil)
    }

    @Test func `is looked at again and again until it is free`() async throws {
        let lock = try await FileLock.acquire(url)
        let clock = InstantClock()
        var waits = 0
        _ = try await FileLock.acquire(url, every: .seconds(7), sleep: { try await clock.sleep(for: $0) }) {
            waits += 1
            if waits == 3 { lock.release() }
        }
        #expect(waits == 3)
        #expect(clock.sleeps == [.seconds(7), .seconds(7), .seconds(7)])
    }

    @Test func `that its holder removed is made anew by the one who waited`() async throws {
        let lock = try await FileLock.acquire(url)
        let next = try await FileLock.acquire(url, sleep: { _ in }) {
            try FileManager.default.removeItem(at: folder.url.appending(path: "a"))
            lock.release()
        }
        #expect(try FileLock.ifFree(url) == nil)
        next.release()
    }

    @Test func `of a folder that is missing is nobody's, and a link is refused`() throws {
        #expect(try FileLock.ifFree(url) == nil)
        let link = folder.url.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
        let error = #expect(throws: BreezeError.self) { try FileLock.ifFree(link) }
        #expect(error?.code == .inputOutput)
    }
}
