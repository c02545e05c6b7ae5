extension CallbackScheme {
    /// What browsers and systems answer to, what goes to a network, and what a web page can register: an answer must
    /// never reach them. Part of docs/url-scheme.md, whose vectors hold the same list.
    static let reservedNames: Set<String> = Set(
        words(
            """
            about acap acct adb admin afp aim app-prefs app-settings apt at attachment bitcoin blob bolo
            breezeapp calshow cap chrome cid coap coaps command content cvs data dav dict dns doi facetime
            facetime-audio feed file filesystem finger fish ftp ftps geo gg git gopher gtalk h323 hcp help http
            https iax icap icon im imap imaps info intent ipp ipps irc irc6 ircs iris itms jabber jar javascript
            jms ldap ldaps livescript localhost magnet mailto maps market matrix message mid mms mocha msrp
            msrps mtqp mupdate mvn news nfs nntp onion opaquelocktoken openpgp4fpr pkcs11 pop pop3 prefs pres
            proxy psyc query res resource rlogin rmi rsync rtmp rtsp rtsps rtspu secondlife service session
            settings sftp sgn shell shortcuts sieve sip sips skype smb smp sms smsto snews snmp soap ssh steam
            stun stuns svn tag teamspeak tel telnet tftp tip trojan turn turns tv udp unreal urn vbscript vemmi
            view-source vnc wais webcal wpid ws wss wtai wyciwyg xcon xmlrpc xmpp xri ymsgr z39.50 z39.50r
            z39.50s
            """
        )
    )

    static let reservedPrefixes: [String] = words(
        """
        android- apple- chrome- com.apple. com.microsoft. ext+ itms- microsoft- moz- ms- web+ x-apple x-web-
        x-webkit- xdg-
        """
    )

    private static func words(_ text: String) -> [String] {
        text.split { $0 == " " || $0 == "\n" }.map(String.init)
    }
}
