extension PhraseList {
    static let french = PhraseList(phrases: [
        (
            .override,
            """
            ignore, ignorez, ignorer, oublie, oubliez, oublier, ne tiens pas compte, ne tenez pas compte,
            ne tenez plus compte, fais abstraction, faites abstraction, contourne, contournez, ne suis pas
            """
        ),
        (
            .negatedOverride,
            "n'oubliez pas, n'oublie pas, ne pas oublier, n'ignorez pas, ne pas ignorer, n'ignore pas"
        ),
        (.previous, "précédentes, précédents, précédente, antérieures, antérieurs, ci-dessus, préalables"),
        (.whole, "toutes, tous, tes, vos"),
        (.instructions, "instruction, instructions, consigne, consignes, directives"),
        (.rules, "règles, ordres, restrictions"),
        (
            .saidBefore,
            "tout ce qui précède, tout ce que tu sais, tout ce qu'on t'a dit, tout ce que je t'ai dit"
        ),
        (
            .reveal,
            """
            montre, montrez, révèle, révélez, affiche, affichez, répète, répétez, donne, donnez, dis-moi,
            dites-moi, quel est, quelles sont
            """
        ),
        (
            .hiddenPrompt,
            """
            prompt système, prompt du système, invite système, instructions système, instructions cachées,
            instructions secrètes, ton prompt, votre prompt
            """
        ),
        (.ownInstructions, "tes instructions, vos instructions, message système, instructions initiales"),
        (
            .becoming,
            """
            tu es maintenant, vous êtes maintenant, tu es désormais, à partir de maintenant tu es, agis comme,
            agissez comme, fais semblant d'être, comporte-toi comme
            """
        ),
        (
            .unbound,
            """
            sans restrictions, sans restriction, sans aucune restriction, sans filtre, sans filtres,
            mode développeur, sans censure, sans limites
            """
        ),
        (.send, "envoie, envoyez, transmets, transmettez, poste"),
        (.privateContent, "conversation, historique, mots de passe, identifiants"),
        (.toAddress, "à http, à https, vers http, vers https, à l'URL, vers l'URL, à cette URL"),
        (
            .concealment,
            "ne dis rien à l'utilisateur, sans informer l'utilisateur, ne le dis pas à l'utilisateur"
        ),
        (.toMachine, "si tu es une IA, si vous êtes une IA, note à l'IA, instructions pour l'IA"),
    ])

    static let spanish = PhraseList(phrases: [
        (
            .override,
            """
            ignora, ignore, ignorad, ignorar, olvida, olvide, olvidar, olvídate de, haz caso omiso de,
            haga caso omiso de, no sigas, pasa por alto, omite, descarta
            """
        ),
        (
            .negatedOverride,
            "no olvides, no olvide, no olvidar, no ignores, no ignore, no ignorar, no te olvides de"
        ),
        (.previous, "anteriores, anterior, previas, previos, precedentes, de arriba"),
        (.whole, "todas, todos, tus, sus, cualquier"),
        (.instructions, "instrucción, instrucciones, indicaciones, directivas, directrices"),
        (.rules, "reglas, órdenes, normas, restricciones"),
        (
            .saidBefore,
            "todo lo anterior, todo lo que sabes, todo lo que te dijeron, todo lo que te han dicho"
        ),
        (
            .reveal,
            "muestra, muéstrame, muestre, revela, revélame, revele, imprime, repite, dime, cuál es, cuáles son"
        ),
        (
            .hiddenPrompt,
            """
            prompt del sistema, prompt de sistema, instrucciones del sistema, instrucciones ocultas,
            instrucciones secretas, tu prompt
            """
        ),
        (
            .ownInstructions,
            "tus instrucciones, sus instrucciones, mensaje del sistema, instrucciones iniciales"
        ),
        (
            .becoming,
            "ahora eres, a partir de ahora eres, desde ahora eres, actúa como, finge ser, finge que eres"
        ),
        (
            .unbound,
            """
            sin restricciones, sin ninguna restricción, sin filtros, sin límites, modo desarrollador,
            modo de desarrollador, sin censura
            """
        ),
        (.send, "envía, envíe, manda, sube"),
        (.privateContent, "conversación, historial, contraseñas, credenciales"),
        (.toAddress, "a http, a https, a la URL, a esta URL"),
        (.concealment, "no le digas al usuario, sin informar al usuario"),
        (.toMachine, "si eres una IA, nota para la IA, instrucciones para la IA"),
    ])

    static let italian = PhraseList(phrases: [
        (
            .override,
            """
            ignora, ignorate, ignori, ignorare, dimentica, dimenticate, dimenticare, non seguire, non tenere conto,
            trascura, tralascia
            """
        ),
        (.negatedOverride, "non dimenticare, non dimenticate, non ignorare, non ignorate"),
        (.previous, "precedenti, precedente, anteriori, di cui sopra, sopra"),
        (.whole, "tutte, tutti, tue, tuoi, qualsiasi"),
        (.instructions, "istruzione, istruzioni, direttive, indicazioni"),
        (.rules, "regole, ordini, restrizioni"),
        (.saidBefore, "tutto quanto sopra, tutto ciò che sai, tutto quello che ti è stato detto"),
        (.reveal, "mostra, mostrami, rivela, rivelami, stampa, ripeti, dimmi, qual è, quali sono"),
        (
            .hiddenPrompt,
            "prompt di sistema, prompt del sistema, istruzioni di sistema, istruzioni nascoste, il tuo prompt"
        ),
        (.ownInstructions, "le tue istruzioni, messaggio di sistema, istruzioni iniziali"),
        (.becoming, "ora sei, adesso sei, da ora in poi sei, agisci come, fingi di essere, comportati come"),
        (
            .unbound,
            "senza restrizioni, senza alcuna restrizione, senza limiti, senza filtri, modalità sviluppatore, senza censura"
        ),
        (.send, "invia, inviate, manda, trasmetti"),
        (.privateContent, "conversazione, cronologia, credenziali"),
        (.toAddress, "a http, a https, all'URL, a questo URL"),
        (.concealment, "non dire all'utente, senza informare l'utente"),
        (.toMachine, "se sei un'IA, nota per l'IA, istruzioni per l'IA"),
    ])

    static let portuguese = PhraseList(phrases: [
        (
            .override,
            """
            ignore, ignora, ignorar, esqueça, esquece, esquecer, desconsidere, desconsidera, despreze, não siga
            """
        ),
        (.negatedOverride, "não esqueça, não se esqueça, não esquecer, não ignore, não ignorar"),
        (.previous, "anteriores, anterior, prévias, acima, precedentes"),
        (.whole, "todas, todos, suas, tuas, quaisquer"),
        (.instructions, "instrução, instruções, diretrizes, diretivas, orientações"),
        (.rules, "regras, ordens, comandos, restrições"),
        (.saidBefore, "tudo acima, tudo o que você sabe, tudo o que foi dito"),
        (.reveal, "mostre, mostra, revele, revela, imprima, repita, diga-me, me diga, qual é, quais são"),
        (
            .hiddenPrompt,
            "prompt do sistema, prompt de sistema, instruções do sistema, instruções ocultas, seu prompt"
        ),
        (.ownInstructions, "suas instruções, mensagem do sistema, instruções iniciais"),
        (
            .becoming,
            "agora você é, a partir de agora você é, aja como, finja ser, finge ser, comporte-se como"
        ),
        (
            .unbound,
            "sem restrições, sem nenhuma restrição, sem filtros, sem limites, modo desenvolvedor, sem censura"
        ),
        (.send, "envie, envia, mande, transmita"),
        (.privateContent, "conversa, histórico, senhas, credenciais"),
        (.toAddress, "para http, para https, para a URL, para esta URL"),
        (.concealment, "não diga ao usuário, sem informar o usuário"),
        (.toMachine, "se você é uma IA, nota para a IA, instruções para a IA"),
    ])
}
