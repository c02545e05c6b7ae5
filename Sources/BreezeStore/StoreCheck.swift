#if Hub
import Foundation
import GRDB

/// Finds out whether a file that nobody has open is still whole.
struct StoreCheck {
    let place: StorePlace
    let now: @Sendable () -> Date

    /// Moves a damaged file aside, with what SQLite has beside it; `nil` where it is whole or not there.
    ///
    /// The whole file is read only where there is a reason: a log of changes that nobody took in, which the
    /// last one out does, or an earlier reader's doubt.
    func mend() throws -> MovedAside? {
        guard place.size(of: place.path) > 0 else { return nil }
        let isDoubtful = place.size(of: "\(place.path)-wal") > 0 || access(place.doubt, F_OK) == 0
        let damage = try damage(readingAll: isDoubtful)
        unlink(place.doubt)
        return try damage.map { try moveAside(because: $0) }
    }

    private func damage(readingAll: Bool) throws -> String? {
        do {
            let queue = try DatabaseQueue(path: place.path)
            defer { try? queue.close() }
            return try queue.inDatabase { database in
                guard readingAll else {
                    _ = try Row.fetchAll(database, sql: "SELECT * FROM sqlite_master")
                    return nil
                }
                let answer = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)")
                return answer == "ok" ? nil : answer ?? "the check gave no answer"
            }
        } catch let error as DatabaseError where StoreFault.isDamage(error) {
            return error.message ?? "\(error.resultCode)"
        } catch let error as DatabaseError {
            throw StoreFault.wrap(error, path: place.path)
        }
    }

    private func moveAside(because reason: String) throws -> MovedAside {
        let stamp = now().formatted(
            .iso8601.year().month().day().dateSeparator(.omitted).time(includingFractionalSeconds: false)
                .timeSeparator(.omitted).timeZone(separator: .omitted)
        )
        var target = "\(place.path).damaged-\(stamp)"
        var number = 1
        while access(target, F_OK) == 0 {
            number += 1
            target = "\(place.path).damaged-\(stamp)-\(number)"
        }
        // What lies beside the file belongs to it under its name, so it moves first: were we to end here, the
        // next check would find a damaged file once more.
        for suffix in ["-wal", "-shm", ""] {
            guard rename(place.path + suffix, target + suffix) == 0 || errno == ENOENT else {
                throw StoreFault.system(place.path, errno)
            }
        }
        return MovedAside(url: URL(fileURLWithPath: target), reason: reason)
    }
}
#endif
