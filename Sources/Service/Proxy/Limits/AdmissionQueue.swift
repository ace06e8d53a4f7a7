/// Who may use a limited amount, such as places or bytes, and who waits for it, in order.
///
/// A value without time or threads: `Admission` adds them.
struct AdmissionQueue<Waiter> {
    enum Arrival: Equatable {
        case admitted
        /// The number under which the waiter can be removed.
        case waiting(Int)
        case refused
    }

    private var capacity: Int
    private var maximumWaiting: Int
    private(set) var used = 0
    private var waiting: [Int: (waiter: Waiter, amount: Int)] = [:]
    /// The numbers of the first waiter and of the next to arrive; those in between can have been removed.
    private var first = 0, next = 0

    init(capacity: Int, maximumWaiting: Int) {
        (self.capacity, self.maximumWaiting) = (capacity, maximumWaiting)
    }

    var waitingCount: Int { waiting.count }

    /// Whether one could enter now.
    var hasRoom: Bool { waiting.isEmpty && used < capacity }

    /// Takes `amount` if nobody waits and it is free.
    mutating func enter(_ amount: Int = 1) -> Bool { waiting.isEmpty && grow(by: amount) }

    /// Takes `amount` if it is free, ahead of those who wait; an amount above the capacity is free if nothing is in use.
    mutating func grow(by amount: Int) -> Bool {
        guard amount <= capacity - used || used == 0 else { return false }
        used += amount
        return true
    }

    /// Takes `amount`, even if it is not free.
    mutating func take(_ amount: Int) { used += amount }

    /// Takes `amount`, or else lets `waiter` wait for it.
    mutating func arrive(_ waiter: Waiter, _ amount: Int = 1) -> Arrival {
        if enter(amount) { return .admitted }
        guard waiting.count < maximumWaiting else { return .refused }
        defer { next += 1 }
        waiting[next] = (waiter, amount)
        return .waiting(next)
    }

    /// Removes a waiter that does not want to wait any longer; nil if it has been admitted or removed already.
    mutating func remove(_ number: Int) -> Waiter? { waiting.removeValue(forKey: number)?.waiter }

    /// Gives `amount` back.
    mutating func leave(_ amount: Int = 1) { used -= amount }

    /// Admits waiters in their order, as long as there is enough for the first one.
    ///
    /// Call it after `leave`, `remove` and `resize`.
    mutating func admitWaiting() -> [Waiter] {
        var admitted: [Waiter] = []
        while !waiting.isEmpty {
            if let entry = waiting[first] {
                guard grow(by: entry.amount) else { break }
                waiting[first] = nil
                admitted.append(entry.waiter)
            }
            first += 1
        }
        return admitted
    }

    /// Changes the limits; what is in use beyond them stays in use until it is given back.
    mutating func resize(capacity: Int, maximumWaiting: Int? = nil) {
        (self.capacity, self.maximumWaiting) = (capacity, maximumWaiting ?? self.maximumWaiting)
    }
}
