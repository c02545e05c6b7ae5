public import BreezeMail

extension GMimeMessageParser {
    /// The message as its sender laid it out, less all that a page of a stranger must not do.
    /// - Throws: ``BreezeError``: `.inputOutput` where the source cannot be read, `.unavailable` where this build has
    ///   no parser.
    public func page(of source: MailSource, limits: PageLimits = PageLimits()) throws -> MailPage {
        #if Mail
        let message = try parse(source, limits: MailLimits())
        let input = try MessageInput(source, limits: MailLimits())
        let walk = PartWalk(input.message, limits: MailLimits())
        let read = PageReader(walk, limits: limits).read()
        return MailPage(
            contentID: message.contentID,
            text: message.body.best,
            html: read?.page,
            notices: read?.notices ?? []
        )
        #else
        throw Self.unavailable
        #endif
    }
}
