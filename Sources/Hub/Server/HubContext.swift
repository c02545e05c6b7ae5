#if Hub
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// What is known of one request besides its bytes.
struct HubContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    var connection = Connection()
    let tally = Tally()

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}
#endif
