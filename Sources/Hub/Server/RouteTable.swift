#if Hub
import Hummingbird
import Synchronization

/// Which methods a path takes: the router says of a wrong method only that it found nothing.
final class RouteTable: Sendable {
    private struct Route {
        let parts: [Substring]
        let method: String
    }

    private let routes: Mutex<[Route]> = Mutex([])

    /// To be called when all are there.
    func fill(_ router: Router<HubContext>) {
        let all = router.routes.map { route in
            Route(parts: route.path.description.split(separator: "/"), method: route.method.rawValue)
        }
        routes.withLock { $0 = all }
    }

    /// In the order of the alphabet; none where there is no such path.
    func methods(of path: String) -> [String] {
        let parts = path.split(separator: "/")
        let found = routes.withLock { routes in
            routes.filter { route in
                route.parts.count == parts.count
                    && zip(route.parts, parts).allSatisfy { $0 == $1 || "{:".contains($0.first ?? "/") }
            }
        }
        return Set(found.map(\.method)).sorted()
    }
}
#endif
