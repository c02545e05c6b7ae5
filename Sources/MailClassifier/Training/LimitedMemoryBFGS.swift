/// Finds the minimum of a smooth convex function: L-BFGS with a backtracking line search (Nocedal and Wright, Numerical
/// Optimization, algorithms 7.5 and 3.1). The same input gives the same digits.
struct LimitedMemoryBFGS {
    /// Pairs of steps and changes of the gradient that are kept.
    var memory = 8
    var mostIterations = 120
    /// It ends where the gradient's largest component is this small a part of what it was at the start.
    var tolerance = 1e-4

    /// `function` writes the gradient at a point into its second argument, and returns the value.
    func minimise(
        from start: [Double],
        _ function: (_ point: [Double], _ gradient: inout [Double]) -> Double
    ) -> [Double] {
        var point = start
        var gradient = [Double](repeating: 0, count: start.count)
        var value = function(point, &gradient)
        let enough = tolerance * Self.largest(gradient)
        var history: [(step: [Double], change: [Double], curvature: Double)] = []
        var next = point
        var nextGradient = gradient
        for _ in 0..<mostIterations where Self.largest(gradient) > enough {
            let direction = Self.direction(gradient, history)
            let slope = Self.dot(direction, gradient)
            guard slope < 0 else { break }
            var length = history.isEmpty ? 1 / max(1, Self.dot(gradient, gradient).squareRoot()) : 1
            var isFound = false
            for _ in 0..<40 {
                for index in point.indices { next[index] = point[index] + length * direction[index] }
                let nextValue = function(next, &nextGradient)
                if nextValue <= value + 1e-4 * length * slope {
                    value = nextValue
                    isFound = true
                    break
                }
                length /= 2
            }
            guard isFound else { break }
            var (step, change) = (next, nextGradient)
            for index in step.indices {
                step[index] -= point[index]
                change[index] -= gradient[index]
            }
            let curvature = Self.dot(step, change)
            if curvature > 1e-12 {
                history.append((step, change, curvature))
                if history.count > memory { history.removeFirst() }
            }
            swap(&point, &next)
            swap(&gradient, &nextGradient)
        }
        return point
    }

    /// The two-loop recursion.
    private static func direction(
        _ gradient: [Double],
        _ history: [(step: [Double], change: [Double], curvature: Double)]
    ) -> [Double] {
        var direction = gradient
        var parts: [Double] = []
        for (step, change, curvature) in history.reversed() {
            let part = dot(step, direction) / curvature
            parts.append(part)
            add(&direction, change, -part)
        }
        if let last = history.last {
            let scale = last.curvature / dot(last.change, last.change)
            for index in direction.indices { direction[index] *= scale }
        }
        for ((step, change, curvature), part) in zip(history, parts.reversed()) {
            add(&direction, step, part - dot(change, direction) / curvature)
        }
        for index in direction.indices { direction[index] = -direction[index] }
        return direction
    }

    private static func add(_ sum: inout [Double], _ other: [Double], _ factor: Double) {
        for index in sum.indices { sum[index] += factor * other[index] }
    }

    private static func dot(_ left: [Double], _ right: [Double]) -> Double {
        var sum = 0.0
        for index in left.indices { sum += left[index] * right[index] }
        return sum
    }

    private static func largest(_ vector: [Double]) -> Double {
        vector.reduce(0) { max($0, $1.magnitude) }
    }
}
