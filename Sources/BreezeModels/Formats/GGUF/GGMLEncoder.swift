/// Puts floats into the forms that Breeze writes: the plain ones, and Q8_0.
enum GGMLEncoder {
    static let types: [GGMLType] = [.f32, .f16, .bf16, .q8_0]

    /// - Precondition: the type is one of ``types``, and the values are whole blocks of it.
    static func encode(_ values: [Float], as type: GGMLType) -> [UInt8] {
        precondition(types.contains(type) && values.count % type.blockSize == 0, "a type that is written")
        switch type {
        case .f16: return bytes(of: values) { $0.halfBits }
        case .bf16: return bytes(of: values) { $0.brainBits }
        case .q8_0: return q8_0(values)
        default: return bytes(of: values) { $0.bitPattern }
        }
    }

    private static func bytes<Bits: FixedWidthInteger>(of values: [Float], _ bits: (Float) -> Bits) -> [UInt8]
    {
        [UInt8](unsafeUninitializedCapacity: values.count * MemoryLayout<Bits>.size) { buffer, count in
            let raw = UnsafeMutableRawBufferPointer(buffer)
            for (index, value) in values.enumerated() {
                let offset = index * MemoryLayout<Bits>.size
                raw.storeBytes(of: bits(value).littleEndian, toByteOffset: offset, as: Bits.self)
            }
            count = raw.count
        }
    }

    /// 32 elements a block: a binary16 scale, the largest magnitude by 127, then each element as its
    /// multiple, rounded half away from zero (`quantize_row_q8_0_ref` in ggml-quants.c).
    private static func q8_0(_ values: [Float]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(values.count / 32 * 34)
        for start in stride(from: 0, to: values.count, by: 32) {
            let block = values[start..<start + 32]
            let scale = block.reduce(Float(0)) { max($0, abs($1)) } / 127
            let inverse = scale == 0 ? 0 : 1 / scale
            withUnsafeBytes(of: scale.halfBits.littleEndian) { output.append(contentsOf: $0) }
            for value in block {
                let steps = (value * inverse).rounded(.toNearestOrAwayFromZero)
                // What is not finite has no place in a block; a clamp keeps it from trapping.
                let clamped = steps.isFinite ? max(-127, min(127, steps)) : 0
                output.append(UInt8(bitPattern: Int8(clamped)))
            }
        }
        return output
    }
}

extension Float {
    /// As IEEE 754 binary16, rounded to nearest, ties to even. Swift's own `Float16` does not exist on Intel
    /// Macs.
    var halfBits: UInt16 {
        let sign = UInt16(truncatingIfNeeded: bitPattern >> 16) & 0x8000
        let magnitude = bitPattern & 0x7FFF_FFFF
        if magnitude > 0x7F80_0000 { return sign | 0x7E00 }
        // From 65,520 on everything rounds to infinity.
        if magnitude >= 0x477F_F000 { return sign | 0x7C00 }
        if magnitude < 0x3880_0000 {
            // Below the smallest normal one, a step is 2⁻²⁴; a carry makes it that normal one.
            let steps = (Float(bitPattern: magnitude) * 0x1p24).rounded(.toNearestOrEven)
            return sign | UInt16(steps)
        }
        // A carry out of the fraction raises the exponent, which is what rounding up means there.
        let rounded = magnitude - 0x3800_0000 + 0xFFF + (magnitude >> 13 & 1)
        return sign | UInt16(truncatingIfNeeded: rounded >> 13)
    }

    /// As bfloat16, rounded to nearest, ties to even.
    var brainBits: UInt16 {
        if isNaN { return UInt16(truncatingIfNeeded: bitPattern >> 16) | 0x40 }
        return UInt16(truncatingIfNeeded: (bitPattern &+ 0x7FFF &+ (bitPattern >> 16 & 1)) >> 16)
    }
}
