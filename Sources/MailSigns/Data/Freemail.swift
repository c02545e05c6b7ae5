/// Where anybody has an address at once: what is sent from here says nothing of whom it is from.
public enum Freemail {
    /// Asked of a registrable domain.
    public static func contains(_ domain: String) -> Bool { all.contains(domain) }

    private static let all: Set<String> = Set(
        """
        gmail.com googlemail.com yahoo.com ymail.com rocketmail.com yahoo.co.uk yahoo.co.in yahoo.co.jp yahoo.fr \
        yahoo.de yahoo.it yahoo.es yahoo.ca yahoo.com.br yahoo.com.au hotmail.com hotmail.co.uk hotmail.fr \
        hotmail.de hotmail.it hotmail.es outlook.com outlook.de outlook.fr live.com live.co.uk live.nl msn.com \
        aol.com aim.com icloud.com me.com mac.com proton.me protonmail.com pm.me tutanota.com tuta.com tuta.io \
        gmx.de gmx.net gmx.at gmx.ch gmx.com web.de freenet.de t-online.de mail.com email.com usa.com \
        mail.ru bk.ru inbox.ru list.ru yandex.ru yandex.com ya.ru rambler.ru qq.com 163.com 126.com sina.com \
        sohu.com naver.com daum.net hanmail.net rediffmail.com zoho.com zohomail.com fastmail.com fastmail.fm \
        hushmail.com laposte.net orange.fr wanadoo.fr free.fr libero.it virgilio.it tiscali.it alice.it \
        seznam.cz centrum.cz wp.pl o2.pl onet.pl interia.pl uol.com.br bol.com.br terra.com.br comcast.net \
        verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net juno.com netzero.net \
        btinternet.com sky.com virginmedia.com excite.com lycos.com inbox.com mailinator.com guerrillamail.com \
        yopmail.com cock.li disroot.org posteo.de mailbox.org
        """.split(whereSeparator: \.isWhitespace).map(String.init)
    )
}
