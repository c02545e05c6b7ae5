#if Hub
import BreezeCore
import BreezeModels
import BreezeTokenizers
import BreezeWire
import Foundation
import Hummingbird
import HummingbirdCore

extension HubServer {
    func addTokenRoutes(to router: Router<HubContext>) {
        router.post("/v1/tokenize") { request, context in
            _ = try self.caller(request, context)
            let call = try TokenizeCall(parsing: try await self.body(of: request, context))
            let tokenizer = try await self.tokenizer(of: call.model)
            try self.check(call.remarks)
            let special = call.parsesSpecialTokens ? SpecialTokens.parsed : .asText
            let text = tokenizer.encode(call.text, specialTokens: special)
            let ids = call.addsSpecialTokens ? try tokenizer.framed(text) : text
            let pieces = call.wantsPieces ? ids.map { tokenizer.piece($0) } : nil
            return Response(json: call.answer(ids.map { Int($0) }, pieces: pieces))
        }
        router.post("/v1/detokenize") { request, context in
            _ = try self.caller(request, context)
            let call = try DetokenizeCall(parsing: try await self.body(of: request, context))
            try self.check(call.remarks)
            return Response(json: call.answer(try await self.tokenizer(of: call.model).text(call.tokens)))
        }
    }

    /// Where no model is named, the one that has a tokenizer and is installed alone.
    func tokenizer(of name: String?) async throws -> any Tokenizer {
        let id: String
        if let name {
            guard case .model(let known) = await parts.names.target(of: name) else {
                throw BreezeError(
                    .unknownModel,
                    "There is no model \(name.prefix(100)) with a tokenizer.",
                    remedy: "See those that there are: GET /v1/models"
                )
            }
            id = known
        } else {
            let models = try parts.models.store.list().models
            guard let only = models.first, models.count == 1 else {
                throw BreezeError(
                    .invalidRequest,
                    "The request names no model, and \(models.count) are installed.",
                    remedy: "Name one in the field model."
                )
            }
            id = only.info.id
        }
        return try await parts.models.tokenizer(id)
    }
}

extension Tokenizer {
    /// - Throws: ``BreezeError`` for a number that is no token of this vocabulary.
    func text(_ tokens: [Int]) throws -> String {
        let ids = try tokens.map { token in
            guard token >= 0, token < vocabularySize, let id = Int32(exactly: token) else {
                throw BreezeError(
                    .invalidParameter,
                    "\(token) is no token of this model.",
                    remedy: "Tokens are whole numbers from 0 to \(vocabularySize - 1)."
                )
            }
            return id
        }
        return decode(ids)
    }

    /// In the frame that the model expects around a text.
    fileprivate func framed(_ text: [Int32]) throws -> [Int32] {
        let letter = encode("a")
        let framed = try encode("a", limit: letter.count + 16).ids
        let starts = framed.indices.dropLast(letter.count - 1)
        guard let start = starts.first(where: { framed[$0...].starts(with: letter) }) else { return text }
        return framed[..<start] + text + framed[(start + letter.count)...]
    }

    fileprivate func piece(_ id: Int32) -> TokenizeCall.Piece {
        let text = decode(CollectionOfOne(id), skippingSpecialTokens: false)
        guard text.unicodeScalars.contains("\u{FFFD}") else { return .text(text) }
        return .text(token(id) ?? text)
    }
}
#endif
