import BreezeCore
import BreezeMailSearch

/// The texts that the tour works on: ours, and small enough to be read in a minute.
enum TourTexts {
    /// Notes such as anybody might keep. None shares its telling words with the queries below.
    static let notes = [
        "Chamomile before bed, and no screens after ten.",
        "The boiler man comes on Thursday between eight and noon.",
        "Grandmother's lentil soup: onions, cumin, a squeeze of lemon.",
        "The night train to Vienna leaves at 22:04 from platform nine.",
        "Renew the passport before March; photographs without glasses.",
        "Rosa took her first steps on Sunday, straight to the cat.",
        "The bicycle's rear brake squeals when it rains.",
        "Ask the landlord about the damp patch over the window.",
        "The herons are back at the pond behind the mill.",
        "Water the ferns twice a week, the cactus hardly ever.",
        "Our choir sings the Fauré requiem on the first of November.",
        "Invoice 118 to the bakery is still not paid.",
        "The dentist wants to look at the upper left molar again.",
        "Borrowed the ladder from Jonas; give it back before June.",
        "A good knee stretch: one foot on the stairs, lean forward, count to thirty.",
        "The library closes at six on Fridays.",
        "Freeze the rest of the stew in small boxes.",
        "The smoke alarm in the hall wants a new battery.",
        "Chess club moved to the room above the café.",
        "Book the kennel for the week at the seaside.",
        "The northern lights were green and then, for a minute, violet.",
        "Change the router's password; the old one is on a sticker.",
        "The tax office accepts the form until the end of May.",
        "Practise the slow movement with the left hand alone.",
    ]

    static let queries = [
        "I lie awake at night",
        "somebody owes us money",
        "birds near the water",
    ]

    static let categories = [
        ClassificationCategory(
            name: "appointment",
            examples: [
                "Shall we meet on Tuesday at three?", "The call has moved to Friday morning.",
                "Does next Wednesday suit you?", "See you at the station at half past seven.",
            ]
        ),
        ClassificationCategory(
            name: "request",
            examples: [
                "Could you send me the slides?", "Please have a look at the attached draft.",
                "I need the figures by this evening.", "Would you forward this to your colleague?",
            ]
        ),
        ClassificationCategory(
            name: "complaint",
            examples: [
                "The parcel arrived broken.", "I have been waiting for an answer for two weeks.",
                "This is the third time that the heating fails.", "The bill is wrong again.",
            ]
        ),
        ClassificationCategory(
            name: "thanks",
            examples: [
                "Thank you for the lovely evening.", "That was very kind of you.",
                "Many thanks, it works perfectly now.", "We really appreciate your help.",
            ]
        ),
    ]

    /// What is sorted where the user gives no texts.
    static let unsorted = [
        "Lunch on Monday at noon?",
        "Can you mail me the contract once more?",
        "The new lamp flickers and buzzes.",
        "You saved my week, I owe you one.",
    ]

    /// What is looked for in mail, and how: the first two share no telling word with what they mean.
    static let mailQueries: [(String, SearchMode)] = [
        ("vision check is overdue", .meaning),
        ("small wild animal found before winter", .both),
        ("subject:Saturday from:owen", .words),
    ]

    static let question = "What are you?"
}
