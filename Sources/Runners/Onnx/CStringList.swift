/// C strings that keep their addresses for as long as the list lives.
struct CStringList: ~Copyable {
    private let strings: [UnsafeMutableBufferPointer<CChar>]

    init(_ texts: [String]) {
        strings = texts.map { text in
            let characters = text.utf8CString
            let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: characters.count)
            _ = copy.initialize(from: characters)
            return copy
        }
    }

    subscript(index: Int) -> UnsafePointer<CChar>? { UnsafePointer(strings[index].baseAddress) }

    deinit {
        for string in strings { string.deallocate() }
    }
}
