#if Hub || Pairing
/// The hub's time, which never goes behind what it wrote down.
///
/// `last` is the time that the ledger holds. What passed since is counted from when this process wrote it, or first saw
/// it: another process may have written it earlier, never later.
struct HubClock: Sendable {
    private var last: Int64
    private var seen: Int64

    init(last: Int64, uptime: Int64) {
        self.last = last
        seen = uptime
    }

    func now(_ moment: SchemeMoment) -> Int64 {
        max(moment.wall, counted(moment.uptime))
    }

    /// What the ledger holds now.
    mutating func learn(_ last: Int64, uptime: Int64) {
        guard last > counted(uptime) else { return }
        self.last = last
        seen = uptime
    }

    private func counted(_ uptime: Int64) -> Int64 { last + max(0, uptime - seen) }
}
#endif
