extension PhraseList {
    static let german = PhraseList(phrases: [
        (
            .override,
            """
            ignoriere, ignorier, ignorieren, ignoriert, vergiss, vergesst, vergessen, missachte, missachten,
            verwirf, umgehe, überschreibe, beachte nicht, beachten sie nicht, folge nicht, befolge nicht
            """
        ),
        (
            .negatedOverride,
            """
            nicht ignorieren, ignoriere nicht, ignorieren sie nicht, vergiss nicht, vergesst nicht,
            vergessen sie nicht, nicht vergessen, nicht missachten
            """
        ),
        (
            .previous,
            """
            vorherigen, vorherige, vorigen, bisherigen, bisherige, obigen, früheren, frühere, vorangegangenen,
            vorhergehenden, vorausgegangenen
            """
        ),
        (.whole, "alle, allen, deine, deinen, ihre, sämtliche, jegliche"),
        (
            .instructions,
            "anweisung, anweisungen, instruktion, instruktionen, befehle, direktiven"
        ),
        (.prompts, "prompt, prompts"),
        (.rules, "regeln, vorgaben, richtlinien, anordnungen, einschränkungen, beschränkungen"),
        (
            .saidBefore,
            "alles was du weißt, alles was dir gesagt wurde, alles was ich gesagt habe, alles obige, alles davor"
        ),
        (
            .reveal,
            """
            zeige, zeig, zeigen sie, verrate, nenne, nenn, gib, geben sie, wiederhole, offenbare, enthülle,
            wie lautet, was ist, sage mir, sag mir
            """
        ),
        (
            .hiddenPrompt,
            """
            systemprompt, systemanweisungen, systemanweisung, versteckten anweisungen,
            geheimen anweisungen, ursprünglichen anweisungen
            """
        ),
        (.ownInstructions, "deine anweisungen, ihre anweisungen, systemnachricht, deine regeln"),
        (
            .becoming,
            """
            du bist jetzt, du bist nun, ab jetzt bist du, ab sofort bist du, von jetzt an bist du,
            tu so als wärst du, verhalte dich wie, sie sind jetzt
            """
        ),
        (.being, "du bist"),
        (
            .unbound,
            """
            ohne einschränkungen, ohne beschränkungen, ohne jede einschränkung, entwicklermodus, ohne filter,
            ohne regeln
            """
        ),
        (.unboundMachine, "uneingeschränkte KI, unzensierte KI, böse KI"),
        (.send, "sende, schicke, senden sie, schicken sie, übermittle, lade"),
        (
            .privateContent,
            "konversation, gespräch, gesprächsverlauf, chatverlauf, unterhaltung, passwörter, zugangsdaten, nutzerdaten"
        ),
        (
            .toAddress,
            "an http, an https, an www, an die URL, an diese URL, an meinen server, nach http, nach https"
        ),
        (
            .concealment,
            "sage dem nutzer nichts, sag dem nutzer nichts, ohne den nutzer zu informieren, verschweige dem nutzer"
        ),
        (.toMachine, "wenn du eine KI bist, falls du eine KI bist, hinweis an die KI, anweisung für die KI"),
        (.command, "ignoriere, musst du, sollst du, antworte, schreibe, sende, empfiehl, sage, bewerte"),
    ])

    static let dutch = PhraseList(phrases: [
        (.override, "negeer, negeren, vergeet, vergeten, volg niet, omzeil, houd geen rekening met"),
        (.negatedOverride, "vergeet niet, niet vergeten, negeer niet, niet negeren"),
        (.previous, "vorige, eerdere, voorgaande, bovenstaande, voorafgaande"),
        (.whole, "alle, jouw, je, uw"),
        (.instructions, "instructie, instructies, opdrachten, aanwijzingen"),
        (.prompts, "prompt, prompts"),
        (.rules, "regels, richtlijnen, beperkingen"),
        (.saidBefore, "alles wat je weet, alles hierboven, alles wat je is verteld, alles wat ik heb gezegd"),
        (.reveal, "toon, laat zien, laat, onthul, herhaal, geef, vertel me, wat is, wat zijn"),
        (
            .hiddenPrompt,
            "systeemprompt, systeeminstructies, verborgen instructies, geheime instructies"
        ),
        (.ownInstructions, "jouw instructies, je instructies, systeembericht"),
        (
            .becoming,
            "je bent nu, jij bent nu, u bent nu, vanaf nu ben je, doe alsof je, gedraag je als"
        ),
        (.being, "je bent"),
        (.unboundMachine, "onbeperkte AI, ongecensureerde AI"),
        (
            .unbound,
            "zonder beperkingen, zonder restricties, zonder filters, zonder regels, ontwikkelaarsmodus"
        ),
        (.send, "stuur, verstuur, verzend"),
        (.privateContent, "gesprek, gespreksgeschiedenis, wachtwoorden, chatgeschiedenis"),
        (.toAddress, "naar http, naar https, naar www, naar deze URL, naar de URL"),
        (.concealment, "vertel de gebruiker niets, zonder de gebruiker te informeren"),
        (.toMachine, "als je een AI bent, bericht aan de AI"),
    ])
}
