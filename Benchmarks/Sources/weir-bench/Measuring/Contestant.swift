/// One way of doing the work that is compared.
struct Contestant {
    let name: String
    /// Does the work that often; the nanoseconds of processor time that it took.
    let run: (Int) throws -> UInt64

    /// A contestant that runs in a process of its own and keeps its own time.
    init(elsewhere name: String, run: @escaping (Int) throws -> UInt64) {
        self.name = name
        self.run = run
    }

    /// A contestant that runs here.
    init(_ name: String, _ body: @escaping () throws -> Void) {
        self.name = name
        run = { count in
            let start = CPUTime.nanoseconds
            for _ in 0..<count { try body() }
            return CPUTime.nanoseconds - start
        }
    }

    /// How often to run it so that it takes about `nanoseconds`.
    func batch(for nanoseconds: Double) throws -> Int {
        _ = try run(2)
        var count = 1
        while true {
            let time = Double(try run(count))
            if time >= nanoseconds / 4 || count >= 1 << 20 { return max(1, Int(nanoseconds / time * Double(count))) }
            count *= 2
        }
    }

    /// Runs for so long, for a profiler to look at; what it took each time.
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

/// Keeps a result alive as far as the optimizer can see.
@inline(never)
func keep<Value: ~Copyable>(_ value: borrowing Value) {}
