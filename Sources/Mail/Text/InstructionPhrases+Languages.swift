extension InstructionPhrases {
    static let german: [Self] = [
        Self(
            kind: .override,
            lines: [
                """
                ignorier*|missachte*|vergiss|vergesse*|verwirf|übergeh*\
                /vorherig*|bisherig*|vorangegangen*|obig*|vorstehend*|frühere*|ursprünglich*|deine|ihre\
                /anweisung*|instruktion*|vorgabe*|systemprompt|prompt|prompts
                """,
                "neuer|neue|aktualisierte*/systemprompt|system prompt|systemanweisung*",
            ]
        ),
        Self(
            kind: .persona,
            lines: [
                "du bist|sie sind/jetzt|nun|ab sofort/ki|sprachmodell|ki assistent|chatbot|assistent|unbeschränkt*"
            ]
        ),
        Self(
            kind: .leak,
            gap: 4,
            lines: [
                """
                zeig*|verrat*|nenne*|gib|geben|wiederhol*|offenbar*|sende*\
                /systemprompt|system prompt|systemanweisung*|deine anweisung*|versteckten anweisung*
                """
            ]
        ),
        Self(
            kind: .concealment,
            lines: [
                """
                sag*|informier*|erzähl*|teile|teilen|verrat*|erwähn*\
                /dem benutzer|dem nutzer|der nutzerin|den benutzer|den nutzer|dem anwender/nicht|nichts
                """
            ]
        ),
        Self(
            kind: .address,
            lines: ["als ki|als sprachmodell|als ki assistent/musst|sollst|müssen|sollen|wirst|hast"]
        ),
        Self(
            kind: .action,
            gap: 4,
            lines: [
                """
                assistent ,|ki ,|ki assistent ,|agent ,|chatbot ,/leite|sende|schicke|lösche|rufe|führe|leiten|senden\
                /mail*|nachricht*|werkzeug*|tool|funktion|passwört*|kontakte
                """
            ]
        ),
        Self(
            kind: .verdict,
            isLoose: true,
            gap: 4,
            lines: [
                """
                markier*|kennzeichne*|stufe|klassifizier*|bewerte*/diese|dieses/mail|e mail|nachricht|email\
                /als/sicher|kein spam|legitim|wichtig|harmlos|vertrauenswürdig|unbedenklich
                """
            ]
        ),
    ]

    static let french: [Self] = [
        Self(
            kind: .override,
            lines: [
                """
                ignore|ignorez|ignorer|oublie|oubliez|oublier/instructions|consignes|directives\
                /précédentes|antérieures|ci dessus|préalables|initiales|du système|système
                """,
                "ignore|ignorez|oublie|oubliez/toutes|tes|vos/instructions|consignes|directives",
                "nouveau|nouvelle/prompt système|invite système|consigne système",
            ]
        ),
        Self(
            kind: .persona,
            lines: [
                "tu es|vous êtes/maintenant|désormais|dorénavant/ia|modèle de langage|assistant|chatbot|sans restriction*"
            ]
        ),
        Self(
            kind: .leak,
            gap: 4,
            lines: [
                """
                révèle|révélez|affiche|affichez|montre|montrez|répète|répétez|donne|donnez|divulgue*\
                /prompt système|invite système|instructions système|tes instructions|instructions cachées
                """
            ]
        ),
        Self(
            kind: .concealment,
            lines: [
                """
                ne dis|ne dites|n informe|n informez|ne mentionne|ne mentionnez|ne préviens|ne prévenez|ne révèle*\
                /pas|rien|jamais/à l utilisateur|l utilisateur|au utilisateur
                """
            ]
        ),
        Self(
            kind: .address,
            lines: [
                "en tant qu ia|en tant que modèle de langage|en tant qu assistant ia/dois|devez|tâche|rôle"
            ]
        ),
        Self(
            kind: .action,
            gap: 4,
            lines: [
                """
                assistant ,|ia ,|agent ia ,|chatbot ,/transfère*|transférez|envoie|envoyez|supprime*|appelle|appelez\
                |exécute*/mail|mails|e mail|e mails|message|messages|courriel*|outil|fonction|contacts|mots de passe
                """
            ]
        ),
        Self(
            kind: .verdict,
            isLoose: true,
            gap: 4,
            lines: [
                """
                marque|marquez|classe|classez|considère*|classifie*/ce|cet/message|mail|e mail|courriel/comme\
                /sûr|légitime|non spam|important|fiable|sans danger
                """
            ]
        ),
    ]

    static let spanish: [Self] = [
        Self(
            kind: .override,
            lines: [
                """
                ignora|ignore|ignorar|olvida|olvide|descarta|omite/instrucciones|indicaciones|órdenes|directrices\
                /anteriores|previas|iniciales|del sistema|de arriba
                """,
                """
                ignora|ignore|olvida|olvide|descarta/anteriores|previas|tus|sus\
                /instrucciones|indicaciones|directrices
                """,
                "nuevo|nuevas/prompt del sistema|prompt de sistema|instrucciones del sistema",
            ]
        ),
        Self(
            kind: .persona,
            lines: [
                "eres|usted es/ahora|partir de ahora/ia|modelo de lenguaje|asistente|chatbot|sin restricciones",
                "ahora eres/ia|modelo de lenguaje|asistente|chatbot|sin restricciones",
            ]
        ),
        Self(
            kind: .leak,
            gap: 4,
            lines: [
                """
                revela|revele|muestra|muestre|repite|repita|imprime|imprima|dime|comparte\
                /prompt del sistema|prompt de sistema|instrucciones del sistema|instrucciones ocultas|tus instrucciones
                """
            ]
        ),
        Self(
            kind: .concealment,
            lines: [
                "no le digas|no digas|no le diga|no informes|no informe|no menciones|no reveles|no avises"
                    + "/al usuario|a la usuaria|usuario"
            ]
        ),
        Self(
            kind: .address,
            lines: [
                "como ia|como una ia|como modelo de lenguaje|como asistente de ia/debes|debe|tienes|tarea"
            ]
        ),
        Self(
            kind: .action,
            gap: 4,
            lines: [
                """
                asistente ,|ia ,|agente ,|chatbot ,/reenvía|reenvíe|envía|envíe|llama|ejecuta|elimina|borra\
                /correo*|mensaje*|herramienta*|función|contactos|contraseñas
                """
            ]
        ),
        Self(
            kind: .verdict,
            isLoose: true,
            gap: 4,
            lines: [
                """
                marca|marque|clasifica|clasifique|considera|considere/este/mensaje|correo|email/como\
                /seguro|legítimo|no spam|importante|confiable
                """
            ]
        ),
    ]

    static let italian: [Self] = [
        Self(
            kind: .override,
            lines: [
                """
                ignora|ignorate|ignori|dimentica|dimenticate|tralascia/istruzion*|direttive|indicazioni\
                /precedenti|iniziali|del sistema|di sistema|sopra
                """,
                "ignora|ignori|dimentica/precedenti|tue|sue/istruzion*|direttive|indicazioni",
                "nuovo|nuove/prompt di sistema|istruzion* di sistema",
            ]
        ),
        Self(
            kind: .persona,
            lines: [
                "sei ora|ora sei|adesso sei|da ora in poi sei/ia|modello linguistico|assistente|chatbot|senza restrizioni"
            ]
        ),
        Self(
            kind: .leak,
            gap: 4,
            lines: [
                """
                rivela|mostra|mostrami|ripeti|stampa|dimmi|divulga\
                /prompt di sistema|istruzion* di sistema|tue istruzion*|istruzion* nascoste
                """
            ]
        ),
        Self(
            kind: .concealment,
            lines: [
                "non dire|non dirlo|non informare|non menzionare|non rivelare|non avvisare/all utente|l utente"
            ]
        ),
        Self(
            kind: .address,
            lines: [
                "come ia|in quanto ia|come modello linguistico|come assistente ia/devi|deve|dovrai|compito"
            ]
        ),
        Self(
            kind: .action,
            gap: 4,
            lines: [
                """
                assistente ,|ia ,|agente ,|chatbot ,/inoltra|invia|manda|chiama|esegui|elimina|cancella\
                /mail|email|e mail|messaggi*|strumento|funzione|contatti|password
                """
            ]
        ),
        Self(
            kind: .verdict,
            isLoose: true,
            gap: 4,
            lines: [
                """
                segna|contrassegna|classifica|considera|contrassegnare/questo|questa/messaggio|mail|email|e mail/come\
                /sicuro|sicura|legittimo|legittima|non spam|importante|affidabile
                """
            ]
        ),
    ]
}
