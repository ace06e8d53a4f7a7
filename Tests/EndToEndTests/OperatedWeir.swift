import Foundation
import TestSupport
import Testing

/// A service with an address for operators, whose configuration is a file that tests may change.
struct OperatedWeir {
    let folder: TemporaryFolder
    let weir: WeirProcess
    let operations: String

    init(_ configuration: String, _ arguments: [String] = []) throws {
        folder = try TemporaryFolder()
        let file = try folder.write(configuration, to: "weir.json")
        let listen =
            configuration.contains("operationsListen") ? [] : ["--set", "server.operationsListen=127.0.0.1:0"]
        weir = try WeirProcess(
            ["serve", "--config", file] + listen + arguments, environment: ["WEIR_TEST_KEY": "test-key-0123"])
        operations = try weir.logLine("listening for monitoring")["address"].string ?? ""
    }

    func ask(_ target: String, method: String = "GET", headers: [String] = []) throws -> RawAnswer {
        try RawClient(operations).get(target, method: method, headers: headers)
    }

    /// Gives a command, which must succeed.
    @discardableResult
    func command(_ action: String, _ subject: String, _ more: String = "") throws -> Parsed {
        let allowed = CharacterSet.alphanumerics
        let name = subject.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        let answer = try ask("/-/interventions/\(action)?subject=\(name)&why=test\(more)", method: "POST")
        #expect(answer.status == 200, "\(answer.text)")
        return try answer.json()
    }

    /// Replaces the configuration and asks for a reload; returns the report.
    @discardableResult
    func reload(_ configuration: String, _ status: Int = 200) throws -> Parsed {
        try folder.write(configuration, to: "weir.json")
        let answer = try ask("/-/reload", method: "POST")
        #expect(answer.status == status, "\(answer.text)")
        return try answer.json()
    }

    /// The actions that are in force.
    func inForce() throws -> [String] {
        try ask("/-/interventions").json()["interventions"].elements.compactMap { $0["action"].string }
    }

    /// The temperature that a client gets.
    func degrees(_ target: String = weather) throws -> Int? {
        try weir.get(target).json()["currently"]["temperature"].integer
    }

    func end() {
        weir.kill()
        folder.remove()
    }
}
