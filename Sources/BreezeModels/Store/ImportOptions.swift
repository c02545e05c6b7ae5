/// What an import is told besides where the model lies.
public struct ImportOptions: Sendable {
    /// Lower-case letters, digits, `.`, `-`, `_`; by default made from the folder's or file's name.
    public var id: String?
    /// Where it came from, for the record; by default its path.
    public var source: String?
    public var origin: ModelOrigin?
    public var mode = IntakeMode.copy
    /// Another model under the same id gives way; it can be brought back.
    public var replaces = false
    /// The files are kept as they are, whatever they hold.
    public var isGeneric = false
    /// Bytes that a running model may take; `nil` for no limit.
    public var memoryLimit: Int64?

    public init(
        id: String? = nil,
        source: String? = nil,
        origin: ModelOrigin? = nil,
        mode: IntakeMode = .copy,
        replaces: Bool = false,
        isGeneric: Bool = false,
        memoryLimit: Int64? = nil
    ) {
        self.id = id
        self.source = source
        self.origin = origin
        self.mode = mode
        self.replaces = replaces
        self.isGeneric = isGeneric
        self.memoryLimit = memoryLimit
    }
}
