extension Brand {
    static let banks: [Brand] = [
        Brand("Chase", ["chase.com", "jpmorgan.com", "jpmchase.com", "jpmorganchase.com"], use: .personal),
        Brand(
            "JPMorgan",
            ["jpmorgan.com", "jpmchase.com", "jpmorganchase.com", "chase.com"],
            phrases: [
                "jpmorgan", "jp morgan", "jpmorgan chase",
            ]
        ),
        Brand(
            "Bank of America",
            ["bankofamerica.com", "bofa.com", "bofaml.com", "ml.com"],
            phrases: [
                "bank of america", "bankofamerica",
            ]
        ),
        Brand("Wells Fargo", ["wellsfargo.com", "wellsfargoadvisors.com", "wf.com"]),
        Brand("Citibank", ["citibank.com", "citi.com", "citigroup.com", "citicards.com"]),
        Brand("Capital One", ["capitalone.com", "capitalone.co.uk"]),
        Brand("U.S. Bank", ["usbank.com"], phrases: ["us bank", "u s bank", "usbank"]),
        Brand("TD Bank", ["td.com", "tdbank.com", "tdameritrade.com"], phrases: ["td bank", "tdbank"]),
        Brand("Navy Federal", ["navyfederal.org"]),
        Brand(
            "American Express",
            ["americanexpress.com", "aexp.com", "amex.com", "aexp-static.com"],
            phrases: [
                "american express", "americanexpress", "amex",
            ]
        ),
        Brand("Mastercard", ["mastercard.com", "mastercard.us"]),
        Brand("Visa", ["visa.com"], use: .common),
        Brand("HSBC", ["hsbc.com", "hsbc.co.uk", "hsbc.com.hk", "hsbcnet.com"]),
        Brand(
            "Barclays",
            ["barclays.com", "barclays.co.uk", "barclaycard.co.uk", "barclayscorp.com", "barclaysus.com"]
        ),
        Brand(
            "Lloyds Bank",
            ["lloydsbank.com", "lloydsbank.co.uk", "lloydsbanking.com", "lloydsbankinggroup.com"]
        ),
        Brand("NatWest", ["natwest.com", "natwestgroup.com"]),
        Brand(
            "Santander",
            ["santander.com", "santander.co.uk", "gruposantander.com", "santanderbank.com"],
            use: .personal
        ),
        Brand("BBVA", ["bbva.com", "bbva.es", "bbva.mx"]),
        Brand("CaixaBank", ["caixabank.com", "caixabank.es", "lacaixa.es"]),
        Brand("BNP Paribas", ["bnpparibas.com", "bnpparibas.net", "bnpparibas.fr", "bnpparibasfortis.be"]),
        Brand(
            "Crédit Agricole",
            ["credit-agricole.fr", "credit-agricole.com", "ca-paris.fr"],
            phrases: [
                "credit agricole", "crédit agricole",
            ]
        ),
        Brand(
            "Société Générale",
            ["societegenerale.com", "societegenerale.fr", "socgen.com"],
            phrases: [
                "societe generale", "société générale",
            ]
        ),
        Brand(
            "ING",
            ["ing.com", "ing.de", "ing.nl", "ing.be", "ing-diba.de"],
            phrases: [
                "ing bank", "ing diba", "ing",
            ],
            use: .personal
        ),
        Brand("Rabobank", ["rabobank.com", "rabobank.nl"]),
        Brand("ABN AMRO", ["abnamro.com", "abnamro.nl"]),
        Brand("Deutsche Bank", ["db.com", "deutsche-bank.de", "deutschebank.de"]),
        Brand("Commerzbank", ["commerzbank.com", "commerzbank.de"]),
        Brand("Sparkasse", ["sparkasse.de", "s-finanzgruppe.de", "dsgv.de", "sparkasse.at"]),
        Brand("Volksbank", ["vr.de", "volksbank.de", "volksbank.at", "bvr.de"]),
        Brand("Postbank", ["postbank.de"]),
        Brand("UniCredit", ["unicredit.it", "unicredit.eu", "unicreditgroup.eu", "hypovereinsbank.de"]),
        Brand("Intesa Sanpaolo", ["intesasanpaolo.com"]),
        Brand("UBS", ["ubs.com"], use: .common),
        Brand("Fidelity", ["fidelity.com", "fidelityinvestments.com"], use: .common),
        Brand("Schwab", ["schwab.com", "aboutschwab.com"], use: .personal),
    ]

    static let carriers: [Brand] = [
        Brand("Verizon", ["verizon.com", "verizonwireless.com", "vzw.com", "verizon.net", "vtext.com"]),
        Brand("AT&T", ["att.com", "att.net", "att-mail.com"], phrases: ["at t", "att"], use: .personal),
        Brand(
            "T-Mobile",
            ["t-mobile.com", "t-mobile.de", "t-mobile.nl", "t-mobile.at"],
            phrases: ["t mobile", "tmobile"]
        ),
        Brand("Vodafone", ["vodafone.com", "vodafone.de", "vodafone.co.uk"]),
        Brand("Telekom", ["telekom.de", "telekom.com", "t-online.de"], use: .common),
        Brand("Xfinity", ["xfinity.com", "comcast.net", "comcast.com"], phrases: ["xfinity", "comcast"]),
        Brand("Swisscom", ["swisscom.com", "swisscom.ch", "bluewin.ch"]),
        Brand("Movistar", ["movistar.com", "movistar.es", "telefonica.com"]),
    ]

    static let states: [Brand] = [
        Brand("IRS", ["irs.gov", "treasury.gov"], use: .common),
        Brand("Internal Revenue Service", ["irs.gov", "treasury.gov"]),
        Brand("Social Security Administration", ["ssa.gov"]),
        Brand(
            "HMRC",
            ["hmrc.gov.uk", "service.gov.uk", "tax.service.gov.uk"],
            phrases: [
                "hmrc", "hm revenue",
            ]
        ),
        Brand("GOV.UK", ["service.gov.uk", "gov.uk"], phrases: ["gov uk"]),
        Brand("Canada Revenue Agency", ["canada.ca", "cra-arc.gc.ca"]),
        Brand(
            "Australian Taxation Office",
            ["ato.gov.au", "my.gov.au"],
            phrases: [
                "australian taxation office", "mygov",
            ]
        ),
        Brand(
            "Finanzamt",
            ["elster.de", "bzst.de", "bund.de"],
            phrases: ["elster", "bundeszentralamt für steuern"],
            use: .personal
        ),
        Brand("Impôts", ["impots.gouv.fr", "dgfip.finances.gouv.fr", "gouv.fr"], phrases: ["impots gouv"]),
        Brand("Ameli", ["ameli.fr", "assurance-maladie.fr"], phrases: ["assurance maladie"]),
        Brand(
            "E-ZPass",
            ["e-zpassny.com", "ezpassnj.com", "e-zpassiag.com", "ezpassva.com"],
            phrases: ["e zpass", "ezpass"]
        ),
    ]
}
