import HTTPCore
import HTTPServer

extension CurrentRouter {
    /// 0: no route reads a body.
    func maximumBodyBytes(of request: Request) -> Int { 0 }

    /// Whether it asks for health or metrics, which are answered when connections are short too.
    func isReserved(_ request: Request) -> Bool {
        switch request.target.rawPath {
        case "/livez", "/readyz", "/metrics": true
        default: false
        }
    }
}
