import TestSupport
import Testing

@testable import Store

/// The parts of a stripe, compared with plain models.
@Suite struct StoreStructureTests {
    @Test func aGhostIsRememberedOnceAndForItsLifetime() {
        var ghosts = GhostTable(bytes: 1 << 16)
        ghosts.insert(1)
        for hash in 100..<110 { ghosts.insert(UInt32(hash)) }
        let answers = [
            ghosts.remove(1, lifetime: 11), ghosts.remove(1, lifetime: 11), ghosts.remove(100, lifetime: 9),
            ghosts.remove(0, lifetime: .max), ghosts.remove(99, lifetime: .max),
        ]
        #expect(answers == [true, false, false, false, false])
    }

    @Test func ghostsTakeTheirBytesWhateverIsInserted() {
        var ghosts = GhostTable(bytes: 4096)
        let bytes = ghosts.bytes
        #expect(bytes == 4096)
        for hash in 0..<10_000 { ghosts.insert(UInt32(hash)) }
        #expect(ghosts.bytes == bytes)
        let asked = [0] + Array(9900..<10_000)
        let known = asked.filter { ghosts.remove(UInt32($0), lifetime: .max) }
        #expect(known == Array(9900..<10_000))
        #expect(GhostTable(bytes: -1).bytes == 64)
    }

    @Test func unusedEntriesLeaveFirstInFirstOut() {
        var queues = FIFOQueues(smallWeight: 10)
        for _ in 0..<100 { queues.append(weight: 1, toMain: false) }
        // Entry 0 leaves first. Entry 99, the newest, takes its place.
        let first = queues.chooseVictim()
        #expect(first?.index == 0 && first?.isGhost == true && first?.steps == 1)
        queues.swapRemove(0)
        let second = queues.chooseVictim()
        #expect(second?.index == 1)
        #expect(queues.weight == 99)
    }

    @Test func usedEntriesMoveToTheMainQueueAndGoAroundOncePerUse() {
        var queues = FIFOQueues(smallWeight: 0)
        for _ in 0..<3 { queues.append(weight: 1, toMain: false) }
        queues.noteUse(0)
        queues.noteUse(1)
        let unused = queues.chooseVictim()
        #expect(unused?.index == 2)
        queues.swapRemove(2)
        #expect(queues.mainCount == 2)
        queues.noteUse(0)
        let victim = queues.chooseVictim()
        #expect(victim?.index == 1 && victim?.isGhost == false && victim?.steps == 2)
    }

    @Test func aSearchForAVictimEndsAtItsLimitAndTakesTheLeastUsed() {
        var queues = FIFOQueues(smallWeight: 0)
        for index in 0..<1000 {
            queues.append(weight: 1, toMain: true)
            for _ in 0..<(index == 20 ? 1 : 3) { queues.noteUse(index) }
        }
        let victim = queues.chooseVictim()
        #expect(victim?.index == 20 && victim?.steps == FIFOQueues.mostSteps)
    }

    @Test func queuesHoldTheirEntriesWhateverHappens() {
        var random = SplitMix64(seed: 3)
        var (queues, weights) = (FIFOQueues(smallWeight: 500), [Int]())
        for _ in 0..<30_000 {
            switch weights.isEmpty ? 0 : Int.random(in: 0..<10, using: &random) {
            case 0...3:
                let weight = Int.random(in: 1...20, using: &random)
                queues.append(weight: weight, toMain: Bool.random(using: &random))
                weights.append(weight)
            case 4...5: queues.noteUse(Int.random(in: weights.indices, using: &random))
            case 6:
                let index = Int.random(in: weights.indices, using: &random)
                weights[index] = Int.random(in: 1...20, using: &random)
                queues.setWeight(weights[index], of: index)
            default:
                let index =
                    Bool.random(using: &random)
                    ? queues.chooseVictim()?.index ?? -1 : Int.random(in: weights.indices, using: &random)
                queues.swapRemove(index)
                weights.swapAt(index, weights.count - 1)
                weights.removeLast()
            }
            #expect(queues.weight == weights.reduce(0, +) && queues.count == weights.count)
        }
        // Each of them leaves once: the lists have lost none.
        while let victim = queues.chooseVictim() { queues.swapRemove(victim.index) }
        #expect(queues.count == 0 && queues.weight == 0 && queues.mainCount == 0)
    }
}
