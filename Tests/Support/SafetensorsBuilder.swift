import Foundation

/// Writes safetensors files for tests: tensors in the order they were added.
package struct SafetensorsBuilder {
    private var entries: [String] = []
    private var data: [UInt8] = []

    package init() {}

    package mutating func add(_ name: String, _ type: String, _ shape: [Int], _ bytes: [UInt8]) {
        let start = data.count
        data += bytes
        entries.append(
            "\"\(name)\":{\"dtype\":\"\(type)\",\"shape\":\(shape),\"data_offsets\":[\(start),\(data.count)]}"
        )
    }

    package mutating func add(_ name: String, _ shape: [Int], _ values: [Float]) {
        add(
            name,
            "F32",
            shape,
            values.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian, Array.init) }
        )
    }

    package var bytes: [UInt8] {
        Self.file(
            header: "{\"__metadata__\":{\"format\":\"pt\"},\(entries.joined(separator: ","))}",
            data: data
        )
    }

    /// A file of any header, sound or not.
    package static func file(header: String, data: [UInt8] = []) -> [UInt8] {
        let length = withUnsafeBytes(of: UInt64(header.utf8.count).littleEndian, Array.init)
        return length + Array(header.utf8) + data
    }
}
