extension Brand {
    /// Those that come with the product; a user's own banks are added in ``SignSettings``.
    public static let watched: [Brand] =
        payment + computing + parcels + shops + social + streaming + banks + carriers
        + states

    private static let payment: [Brand] = [
        Brand(
            "PayPal",
            [
                "paypal.com", "paypal.me", "paypal-communication.com", "paypal-community.com",
                "paypalobjects.com",
                "paypalcorp.com", "xoom.com",
            ]
        ),
        Brand("Venmo", ["venmo.com"]),
        Brand("Zelle", ["zellepay.com", "zelle.com", "earlywarning.com"]),
        Brand("Cash App", ["cash.app", "squareup.com", "square.com", "block.xyz"]),
        Brand("Stripe", ["stripe.com", "stripe.network"], use: .common),
        Brand("Klarna", ["klarna.com"]),
        Brand("Wise", ["wise.com", "transferwise.com"], phrases: ["wise", "transferwise"], use: .personal),
        Brand("Revolut", ["revolut.com"]),
        Brand("Western Union", ["westernunion.com"]),
        Brand("MoneyGram", ["moneygram.com"]),
        Brand("Coinbase", ["coinbase.com"]),
        Brand("Binance", ["binance.com", "binance.us"]),
        Brand("Kraken", ["kraken.com"], use: .common),
        Brand("MetaMask", ["metamask.io", "consensys.net", "consensys.io"]),
        Brand("Trust Wallet", ["trustwallet.com"]),
        Brand("Ledger", ["ledger.com", "ledgerwallet.com"], use: .common),
        Brand("Trezor", ["trezor.io", "satoshilabs.com"]),
        Brand("Blockchain.com", ["blockchain.com", "blockchain.info"], phrases: ["blockchain com"]),
        Brand(
            "Intuit",
            ["intuit.com", "quickbooks.com", "turbotax.com", "mailchimp.com"],
            phrases: [
                "intuit", "quickbooks", "turbotax",
            ]
        ),
    ]

    private static let computing: [Brand] = [
        Brand(
            "Microsoft",
            [
                "microsoft.com", "microsoftonline.com", "office.com", "office365.com", "live.com",
                "outlook.com",
                "hotmail.com", "msn.com", "windows.com", "azure.com", "xbox.com", "onedrive.com",
                "sharepoint.com",
                "sharepointonline.com", "microsoft365.com", "windows.net", "azure.net", "office.net",
                "microsoft.net",
                "skype.com", "bing.com", "aka.ms", "microsoftstore.com", "microsoftemail.com", "yammer.com",
            ],
            phrases: [
                "microsoft", "office 365", "office365", "microsoft365", "onedrive", "sharepoint", "hotmail",
            ]
        ),
        Brand("Outlook", ["outlook.com", "live.com", "microsoft.com", "office.com"], use: .common),
        Brand(
            "Google",
            [
                "google.com", "gmail.com", "googlemail.com", "youtube.com", "googleapis.com",
                "googlegroups.com",
                "googleusercontent.com", "withgoogle.com", "gstatic.com", "goo.gl", "android.com",
                "google.dev",
                "googleblog.com", "doubleclick.net", "googletagmanager.com", "googlesyndication.com",
                "google-analytics.com", "googletagservices.com", "googlevideo.com", "googlecode.com",
                "googleadservices.com", "blogger.com", "g.co", "chromium.org",
            ],
            phrases: ["google", "gmail"]
        ),
        Brand(
            "Apple",
            ["apple.com", "icloud.com", "me.com", "mac.com", "itunes.com", "apple.co"],
            use: .common
        ),
        Brand("iCloud", ["icloud.com", "apple.com", "me.com"]),
        Brand(
            "Adobe",
            ["adobe.com", "adobesign.com", "echosign.com", "adobe.io", "behance.net"],
            use: .common
        ),
        Brand(
            "Dropbox",
            [
                "dropbox.com", "dropboxstatic.com", "dropboxmail.com", "dropboxusercontent.com",
                "hellosign.com",
            ]
        ),
        Brand("DocuSign", ["docusign.com", "docusign.net"]),
        Brand("WeTransfer", ["wetransfer.com", "we.tl"]),
        Brand("Zoom", ["zoom.us", "zoom.com", "zoomgov.com"], use: .common),
        Brand(
            "GitHub",
            ["github.com", "githubusercontent.com", "github.io", "githubapp.com", "github.blog"]
        ),
        Brand(
            "Yahoo",
            [
                "yahoo.com", "yahoo-inc.com", "yahooinc.com", "yahoogroups.com", "yahoodns.net", "ymail.com",
                "yimg.com",
            ],
            use: .common
        ),
        Brand("AOL", ["aol.com", "aol.net", "yahoo.com"], use: .common),
        Brand("McAfee", ["mcafee.com"]),
        Brand(
            "Norton",
            ["norton.com", "nortonlifelock.com", "symantec.com", "lifelock.com", "gendigital.com"],
            phrases: [
                "norton", "norton antivirus",
            ],
            use: .personal
        ),
        Brand(
            "NortonLifeLock",
            ["norton.com", "nortonlifelock.com", "lifelock.com"],
            phrases: [
                "nortonlifelock", "lifelock", "norton lifelock", "norton 360",
            ]
        ),
        Brand("Avast", ["avast.com", "gendigital.com"]),
        Brand("Kaspersky", ["kaspersky.com", "kaspersky.ru"]),
        Brand("GoDaddy", ["godaddy.com", "secureserver.net"]),
        Brand("cPanel", ["cpanel.net", "cpanel.com", "webpros.com"]),
        Brand("Geek Squad", ["geeksquad.com", "bestbuy.com"]),
    ]

    private static let parcels: [Brand] = [
        Brand("DHL", ["dhl.com", "dhl.de", "dpdhl.com", "deutschepost.de", "dhlparcel.nl", "dhl-news.com"]),
        Brand("FedEx", ["fedex.com", "fedex-email.com"]),
        Brand("UPS", ["ups.com", "upsemail.com"], use: .common),
        Brand("USPS", ["usps.com", "usps.gov"]),
        Brand("DPD", ["dpd.com", "dpd.de", "dpd.co.uk", "dpdgroup.com", "dpdlocal.co.uk"]),
        Brand("GLS", ["gls-group.eu", "gls-group.com", "gls-germany.com", "gls-pakete.de"], use: .common),
        Brand("Hermes", ["myhermes.de", "hermesworld.com", "hermes-europe.de", "evri.com"], use: .personal),
        Brand("Evri", ["evri.com"]),
        Brand("Royal Mail", ["royalmail.com", "royalmail.co.uk", "parcelforce.com"]),
        Brand("Canada Post", ["canadapost.ca", "canadapost-postescanada.ca"]),
        Brand("Australia Post", ["auspost.com.au"], phrases: ["australia post", "auspost"]),
        Brand("Deutsche Post", ["deutschepost.de", "dhl.de", "dpdhl.com"]),
        Brand(
            "La Poste",
            ["laposte.fr", "laposte.net", "colissimo.fr", "chronopost.fr"],
            phrases: [
                "la poste", "colissimo", "chronopost",
            ]
        ),
        Brand("PostNL", ["postnl.nl"]),
        Brand("Correos", ["correos.es", "correos.com"], use: .common),
        Brand("Swiss Post", ["post.ch", "swisspost.ch"]),
    ]

    private static let shops: [Brand] = [
        Brand(
            "Amazon",
            [
                "amazon.com", "amazonaws.com", "amazonses.com", "amazon.jobs", "media-amazon.com", "amzn.to",
                "a.co",
                "primevideo.com", "aws.dev", "amazon.science", "ssl-images-amazon.com", "audible.com",
                "amazonpay.com",
            ],
            phrases: ["amazon", "amazon com"],
            use: .common
        ),
        Brand("eBay", ["ebay.com", "ebay.us", "ebaystatic.com", "ebayinc.com"]),
        Brand("AliExpress", ["aliexpress.com", "alibaba.com"]),
        Brand("Alibaba", ["alibaba.com", "alibabagroup.com", "alibabacloud.com"]),
        Brand("Walmart", ["walmart.com", "walmart.ca", "walmartimages.com"]),
        Brand("Costco", ["costco.com", "costco.ca"]),
        Brand("Target", ["target.com"], use: .common),
        Brand("Best Buy", ["bestbuy.com", "bestbuy.ca"]),
        Brand("IKEA", ["ikea.com"]),
        Brand("Booking.com", ["booking.com"], phrases: ["booking com"]),
        Brand("Airbnb", ["airbnb.com"]),
        Brand("Uber", ["uber.com", "ubereats.com"], use: .common),
        Brand("Temu", ["temu.com", "temuemail.com"]),
        Brand("Lidl", ["lidl.com"], use: .common),
    ]

    private static let social: [Brand] = [
        Brand(
            "Facebook",
            [
                "facebook.com", "facebookmail.com", "fb.com", "fb.me", "fbcdn.net", "facebook.net",
                "meta.com", "messenger.com",
            ]
        ),
        Brand("Instagram", ["instagram.com", "facebookmail.com", "meta.com", "cdninstagram.com"]),
        Brand("WhatsApp", ["whatsapp.com", "whatsapp.net", "meta.com"]),
        Brand("LinkedIn", ["linkedin.com", "lnkd.in", "licdn.com"]),
        Brand("TikTok", ["tiktok.com", "bytedance.com"]),
        Brand("Snapchat", ["snapchat.com", "snap.com"]),
        Brand("Telegram", ["telegram.org", "t.me", "telegram.me"], use: .common),
        Brand("Discord", ["discord.com", "discordapp.com", "discord.gg"], use: .common),
        Brand("Twitter", ["twitter.com", "x.com", "t.co", "twimg.com"]),
        Brand("YouTube", ["youtube.com", "google.com", "youtu.be", "youtube-nocookie.com"]),
    ]

    private static let streaming: [Brand] = [
        Brand("Netflix", ["netflix.com", "netflix.net", "nflxext.com", "nflximg.net"]),
        Brand("Spotify", ["spotify.com", "spotifymail.com"]),
        Brand(
            "Disney+",
            ["disneyplus.com", "disney.com", "disneyonline.com", "go.com"],
            phrases: [
                "disney plus", "disneyplus",
            ]
        ),
        Brand("Hulu", ["hulu.com", "hulumail.com"]),
        Brand("Steam", ["steampowered.com", "steamcommunity.com", "valvesoftware.com"], use: .common),
        Brand("Roblox", ["roblox.com"]),
        Brand("Prime Video", ["primevideo.com", "amazon.com"]),
    ]
}
