/// Words that stand beside a brand in the name of a sender who is that brand, or who says so.
enum BrandWords {
    /// Of business, in the languages that fraud is written in most, without accents.
    static let business: Set<String> = words(
        """
        access account accounts activity admin administration administrator alert alerts app apps assistance \
        authentication auto automated bank banking billing bonus business card cardmember cards care center centre \
        claims client clients cloud co com confirm confirmation contact corp corporate corporation coupon credit \
        customer customers debit delivery department dept desk direct email enterprise express file files finance \
        financial fraud gift giftcard gifts gmbh helpdesk help id identity important inbox inc info insurance invoice \
        invoices it llc limited locked login logistics loyalty ltd mail mailbox mailer maintenance member members \
        membership message messages messaging mobile money net no noreply notice notification notifications \
        notify offer offers office official online operations order orders org parcel parcels password pay \
        payment payments plus points portal premium prevention prime privacy pro product products promotion \
        protect protection purchase quarantine receipt recovery refund refunds renewal reminder reply resolution \
        reward rewards risk safe safety sales secure secured security server service services shared shipment \
        shipments shipping shop signin signature statement statements status store subscription subscriptions \
        suite support survey suspended system systems tax team teams tech technical ticket tracking transaction \
        transactions transfer transfers unit update updates upgrade user users validation verification verified verify \
        voicemail wallet warning web webmail winner www your \
        abteilung benachrichtigung benachrichtigungen betrug dienst hilfe ihr ihre konto kunden kundenbetreuung \
        kundencenter kundendienst kundenservice kundensupport lieferung paket paketdienst rechnung rechnungen \
        sendung sicherheit sicherheitsabteilung versand zahlung zustellung \
        avis colis compte equipe facture facturation livraison paiement securite suivi votre \
        atencion cliente clientes cuenta envio equipo facturacion pago paquete seguridad servicio soporte \
        assistenza clienti conto fattura pacco pagamento servizio sicurezza spedizione supporto \
        atendimento conta entrega fatura seguranca suporte beveiliging betaling bezorging factuur klantenservice \
        pakket rekening
        """
    )

    /// Whether a word of a host is one that a brand would put beside its name, or fraud.
    static func isOfBusiness(_ word: String) -> Bool {
        business.contains(word) || neutral.contains(word) || lures.contains(word)
    }

    /// The same as they look.
    static let businessFolds: Set<String> = Set(business.map { LookAlike.fold($0) })

    /// Beside a name that means nothing else, these do not change what it means.
    static let neutral: Set<String> = words(
        """
        a and at by club de details digital document documents du dein deine el family for free from global group groups \
        home hq il in information international la le les manager market marketplace me mijn mon my network \
        news newsletter not now of on or partner partners plan post profile relay review share smart su the through \
        to tu uk us usa via video voice vip world worldwide
        """
    )

    private static func words(_ list: String) -> Set<String> {
        Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// What stands before a brand that somebody sends through.
    static let through: Set<String> = ["via", "through", "from", "by", "über", "par", "von"]

    /// In a host, what makes a common word mean the brand.
    static let lures: Set<String> = [
        "account", "accounts", "alert", "auth", "bank", "billing", "card", "client", "confirm", "customer",
        "delivery", "id", "invoice", "locked", "login", "online", "parcel", "pay", "payment",
        "portal", "recover", "recovery", "refund", "renew", "reset", "rewards", "secure", "secured",
        "security",
        "service", "services", "signin", "support", "track", "tracking", "unlock", "update", "verification",
        "verify", "wallet", "webmail", "konto", "kunden", "sicherheit", "compte", "cuenta", "conto",
    ]
}
