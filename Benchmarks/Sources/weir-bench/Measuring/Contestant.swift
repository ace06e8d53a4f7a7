/// One implementation of the work under comparison.
struct Contestant {
    let name: String
    /// Does the work the given number of times and returns the nanoseconds of processor time.
    let run: (Int) throws -> UInt64

    /// Creates a contestant that measures its own time, such as one in another process.
    init(elsewhere name: String, run: @escaping (Int) throws -> UInt64) {
        self.name = name
        self.run = run
    }

    /// Creates a contestant that runs in this process.
    init(_ name: String, _ body: @escaping () throws -> Void) {
        self.name = name
        run = { count in
            let start = CPUTime.nanoseconds
            for _ in 0..<count { try body() }
            return CPUTime.nanoseconds - start
        }
    }

    /// Returns how many repetitions take about `nanoseconds`.
    func batch(for nanoseconds: Double) throws -> Int {
        _ = try run(2)
        var count = 1
        while true {
            let time = Double(try run(count))
            if time >= nanoseconds / 4 || count >= 1 << 20 { return max(1, Int(nanoseconds / time * Double(count))) }
            count *= 2
        }
    }

    /// Runs for `seconds`, for a profiler, and returns the median time as a line of text.
    func loop(seconds: Double) throws -> String {
        let batch = try batch(for: 1e8)
        var times: [Double] = []
        var total = 0.0
        while total < seconds * 1e9 {
            let time = Double(try run(batch))
            times.append(time / Double(batch))
            total += time
        }
        return "\(name): \(Figure.text(times.median / 1000)) microseconds"
    }
}

/// Prevents the optimizer from removing the computation of `value`.
@inline(never)
func keep<Value: ~Copyable>(_ value: borrowing Value) {}
