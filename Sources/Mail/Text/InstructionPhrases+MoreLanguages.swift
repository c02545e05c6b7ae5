extension InstructionPhrases {
    static let portuguese: [Self] = [
        Self(
            kind: .override,
            lines: [
                """
                ignore|ignora|ignorar|esqueça|esquece|desconsidere|descarte/instruções|orientações|diretrizes\
                /anteriores|prévias|iniciais|do sistema|acima
                """,
                "ignore|esqueça|desconsidere/anteriores|suas|tuas/instruções|orientações|diretrizes",
                "novo|novas/prompt do sistema|prompt de sistema|instruções do sistema",
            ]
        ),
        Self(
            kind: .persona,
            lines: [
                "você é agora|agora você é|a partir de agora você é|você agora é"
                    + "/ia|modelo de linguagem|assistente|chatbot|sem restrições"
            ]
        ),
        Self(
            kind: .leak,
            gap: 4,
            lines: [
                """
                revele|revela|mostre|mostra|repita|repete|imprima|diga|exiba\
                /prompt do sistema|prompt de sistema|instruções do sistema|instruções ocultas|suas instruções
                """
            ]
        ),
        Self(
            kind: .concealment,
            lines: [
                "não diga|não conte|não informe|não mencione|não revele|não avise/ao usuário|o usuário|ao utilizador"
            ]
        ),
        Self(
            kind: .address,
            lines: ["como ia|como uma ia|como modelo de linguagem|como assistente de ia/deve|precisa|tarefa"]
        ),
        Self(
            kind: .action,
            gap: 4,
            lines: [
                """
                assistente ,|ia ,|agente ,|chatbot ,/encaminhe|envie|mande|chame|execute|exclua|apague\
                /mail|email|emails|e mail|mensage*|ferramenta*|função|contatos|senhas
                """
            ]
        ),
        Self(
            kind: .verdict,
            isLoose: true,
            gap: 4,
            lines: [
                """
                marque|classifique|considere|trate/este|esta|esse|essa/mensagem|email|e mail/como\
                /seguro|segura|legítimo|legítima|não spam|importante|confiável
                """
            ]
        ),
    ]

    static let dutch: [Self] = [
        Self(
            kind: .override,
            lines: [
                """
                negeer|vergeet|negeert/vorige|voorgaande|eerdere|bovenstaande|oorspronkelijke|je|uw\
                /instructie*|opdrachten|aanwijzing*|richtlijnen|systeemprompt
                """,
                "nieuwe/systeemprompt|systeeminstructie*",
            ]
        ),
        Self(
            kind: .persona,
            lines: ["je bent|u bent/nu|vanaf nu/ai|taalmodel|assistent|chatbot|onbeperkt*"]
        ),
        Self(
            kind: .leak,
            gap: 4,
            lines: ["toon|laat|onthul|herhaal|geef|druk/systeemprompt|systeeminstructie*|je instructie*"]
        ),
        Self(
            kind: .concealment,
            lines: [
                "vertel|zeg|meld|informeer|waarschuw/de gebruiker|het de gebruiker|aan de gebruiker/niet|niets",
                "vertel|zeg|meld/niet|niets/aan de gebruiker",
            ]
        ),
        Self(kind: .address, lines: ["als ai|als taalmodel|als ai assistent/moet|dien|zul|taak"]),
        Self(
            kind: .action,
            gap: 4,
            lines: [
                """
                assistent ,|ai ,|agent ,|chatbot ,/stuur|verzend|verstuur|verwijder|roep|voer\
                /mail|mails|e mail|e mails|bericht*|tool|functie|contacten|wachtwoorden
                """
            ]
        ),
        Self(
            kind: .verdict,
            isLoose: true,
            gap: 4,
            lines: [
                """
                markeer|classificeer|beschouw|label/dit|deze/bericht|mail|e mail|email/als\
                /veilig|legitiem|geen spam|belangrijk|betrouwbaar
                """
            ]
        ),
    ]

    static let russian: [Self] = [
        Self(
            kind: .override,
            lines: [
                """
                игнорируй*|проигнорируй*|забудь*|отбрось*|пренебреги*\
                /предыдущ*|прежн*|вышеуказанн*|вышеизложенн*|предшествующ*|свои|твои|ваши\
                /инструкц*|указани*|команды|промпт*|правила
                """,
                "новый|новая|новые/системный промпт|системная инструкц*|системные инструкц*",
            ]
        ),
        Self(
            kind: .persona,
            lines: [
                "ты теперь|теперь ты|вы теперь|теперь вы|отныне ты/ии|языковая модель|ассистент|помощник|чат бот|чатбот"
            ]
        ),
        Self(
            kind: .leak,
            gap: 4,
            lines: [
                """
                покажи*|раскрой*|выведи*|повтори*|напечатай*|сообщи*\
                /системный промпт|системные инструкц*|системную подсказку|скрытые инструкц*|свои инструкц*
                """
            ]
        ),
        Self(
            kind: .concealment,
            lines: [
                "не говори*|не сообщай*|не рассказывай*|не упоминай*|не уведомляй*/пользовател*"
            ]
        ),
        Self(
            kind: .address,
            lines: ["как ии|как языковая модель|как ассистент/ты|вы|твоя|ваша/должен|должны|обязан*|задача"]
        ),
        Self(
            kind: .action,
            gap: 4,
            lines: [
                """
                ассистент ,|ии ,|помощник ,|чат бот ,/перешли*|отправь*|вызови*|удали*|выполни*\
                /письм*|сообщен*|инструмент*|функци*|контакты|парол*
                """
            ]
        ),
        Self(
            kind: .verdict,
            isLoose: true,
            gap: 4,
            lines: [
                """
                пометь*|отметь*|классифицируй*|считай*/это|эту/письмо|сообщение|почту/как\
                /безопасн*|не спам|легитимн*|важн*|надежн*
                """
            ]
        ),
    ]

    /// Every sign is a word: more of them stand between two steps.
    static let chinese: [Self] = [
        Self(
            kind: .override,
            gap: 6,
            lines: [
                """
                忽略|无视|無視|忽视|忽視|忘记|忘記|不要理会/之前|以前|以上|上述|先前|前面|你的|您的|原有\
                /指令|指示|提示词|提示詞|命令|规则|規則|设定|設定
                """,
                "新的/系统提示|系統提示|系统指令|系統指令",
            ]
        ),
        Self(
            kind: .persona,
            gap: 6,
            lines: [
                """
                你现在是|你現在是|现在你是|從現在起你是|从现在起你是|从现在开始你是|從現在開始你是\
                /人工智能|人工智慧|ai|助手|助理|机器人|機器人|语言模型|語言模型
                """
            ]
        ),
        Self(
            kind: .leak,
            gap: 8,
            lines: [
                """
                显示|顯示|透露|输出|輸出|告诉我|告訴我|打印|泄露|洩露|揭示|重复|重複\
                /系统提示|系統提示|系统指令|系統指令|初始提示|隐藏指令|隱藏指令
                """
            ]
        ),
        Self(
            kind: .concealment,
            gap: 4,
            lines: ["不要告诉|不要告訴|别告诉|別告訴|不要通知|不要提醒|请勿告知|請勿告知/用户|用戶|使用者"]
        ),
        Self(
            kind: .address,
            gap: 8,
            lines: ["作为|作為|身为|身為/ai|人工智能|人工智慧|语言模型|語言模型/必须|必須|应该|應該|需要|任务|任務"]
        ),
        Self(
            kind: .action,
            gap: 8,
            lines: [
                """
                助手 ,|助理 ,|ai ,|人工智能 ,/转发|轉發|发送|發送|调用|調用|删除|刪除|执行|執行\
                /邮件|郵件|消息|訊息|工具|函数|函數|联系人|密码|密碼
                """
            ]
        ),
        Self(
            kind: .verdict,
            isLoose: true,
            gap: 6,
            lines: [
                """
                将|將|把|请|請/邮件|郵件|消息|信息|訊息/标记为|標記為|归类为|歸類為|分类为|分類為|视为|視為\
                /安全|非垃圾|重要|正常|合法
                """
            ]
        ),
    ]

    static let japanese: [Self] = [
        Self(
            kind: .override,
            gap: 8,
            lines: [
                """
                これまで|以前|上記|前の|先の|先ほど|今まで|すべて|全て/指示|命令|プロンプト|ルール|指令\
                /無視|忘れ|破棄
                """,
                "新しい|新た/システムプロンプト|システム指示",
            ]
        ),
        Self(
            kind: .persona,
            gap: 8,
            lines: ["あなたは/今から|これから|今後|現在/ai|アシスタント|言語モデル|ボット"]
        ),
        Self(
            kind: .persona,
            gap: 4,
            lines: ["今から|これから|今後/あなたは/ai|アシスタント|言語モデル|ボット"]
        ),
        Self(
            kind: .leak,
            gap: 6,
            lines: [
                "システムプロンプト|システム指示|初期プロンプト/表示|公開|教え|出力|明かし|開示|送信|繰り返"
            ]
        ),
        Self(
            kind: .concealment,
            gap: 6,
            lines: ["ユーザー|ユーザ|利用者/伝え|知らせ|言わ|教え|通知し|話さ/ない|ず"]
        ),
        Self(
            kind: .address,
            gap: 8,
            lines: ["ai|人工知能|言語モデル/として/必ず|なければ|べき|従っ|従い|義務"]
        ),
        Self(
            kind: .action,
            gap: 10,
            lines: [
                "アシスタント ,|ai ,|エージェント ,/メール|メッセージ|ツール|関数|連絡先/転送|送信|呼び出|削除|実行"
            ]
        ),
        Self(
            kind: .verdict,
            isLoose: true,
            gap: 8,
            lines: [
                """
                この/メール|メッセージ/安全|重要|迷惑メールではない|正常|正当|問題ない\
                /分類|マーク|判定|設定|扱
                """
            ]
        ),
    ]
}
