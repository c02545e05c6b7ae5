/// How access is kept; every value may come from the hub's settings.
package struct AccessSettings: Sendable {
    /// Lets clients on this device in without a key, for development.
    package var isOpen = false
    package var retention = AuditRetention()
    /// What is queued is written this long after the first of it came.
    package var writeDelay = Duration.milliseconds(300)
    /// How often is looked for what other processes decided.
    package var pollInterval = Duration.seconds(1)
    /// Entries of the audit log that may wait, requests that run included.
    package var queueCapacity = 16_384
    /// Apps, or pulls, that may wait for the owner at once.
    package var waitingLimit = 32
    /// Valid keys of one app.
    package var keyLimit = 16

    package init() {}
}
