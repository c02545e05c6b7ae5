import BreezeCore
import BreezeLiteRT
import BreezeModels
import BreezeOnnxRuntime
import BreezeTokenizers
import Foundation

/// Opens a model in the fastest runtime that is there and computes it rightly.
struct EncoderLoader: Sendable {
    let id: String
    let precision: EncoderPrecision
    let store: ModelStore
    let runtimes: EncoderRuntimes

    func load() async throws -> TextEncoder {
        let files = try store.files(for: id)
        guard let configuration = files.manifest.encoder else {
            throw BreezeError(.invalidFile, "The installed model \(id) is no text encoder.")
        }
        let tokenizer = try WordPieceTokenizer(files: files.files)
        let lease = FileLease(Array(files.files.values))
        func encoder(_ pool: EncoderPool, notice: String? = nil) -> TextEncoder {
            TextEncoder(
                configuration: configuration,
                tokenizer: tokenizer,
                pool: pool,
                lease: lease,
                notice: notice
            )
        }
        let fault: BreezeError
        do { return encoder(try await liteRT(configuration)) } catch let error as BreezeError
            where error.code != .cancelled
        {
            fault = error
        }
        do {
            let pool = try await onnxRuntime()
            let notice = "\(pool.backend.name) answered, because LiteRT could not: \(fault.message)"
            return encoder(pool, notice: [notice, fault.remedy].compactMap(\.self).joined(separator: " "))
        } catch let error as BreezeError where error.code != .cancelled {
            throw BreezeError(
                error.code,
                "\(error.message) Nor could LiteRT: \(fault.message)",
                remedy: error.remedy,
                underlying: error
            )
        }
    }

    private func liteRT(_ configuration: EncoderConfiguration) async throws -> EncoderPool {
        let library = try runtimes.liteRT()
        let graph = try await store.graph(precision.liteRTFormat, for: id)
        let cache = try await weightCache(library, of: graph)
        func pool(_ cache: DerivedFile?) async throws -> EncoderPool {
            let backend = LiteRTEncoderSession.backend(
                library,
                graph: graph.url,
                weightCache: cache?.url,
                configuration: configuration,
                precision: precision
            )
            return try await EncoderPool(
                backend,
                workers: runtimes.workers(),
                check: check(graph, backend)
            )
        }
        do { return try await pool(cache) } catch {
            guard let cache else { throw error }
            // Its size was right and its content was not: once more with a new one.
            try await store.removeDerivedFile(cache)
            return try await pool(try await weightCache(library, of: graph))
        }
    }

    /// The graph's weights as LiteRT's kernels on this processor want them. Without them (on a disk that is
    /// full, or may not be written) each worker packs its own, which takes memory and time and changes no
    /// answer.
    private func weightCache(_ library: LiteRTLibrary, of graph: DerivedFile) async throws -> DerivedFile? {
        let name = "\(graph.url.deletingPathExtension().lastPathComponent)-\(library.cacheKey).xnnpack"
        do {
            return try await store.derivedFile(name, for: id) { url in
                _ = try LiteRTModel(library: library, file: graph.url, weightCache: url)
            }
        } catch let error as BreezeError where error.code == .cancelled {
            throw error
        } catch {
            return nil
        }
    }

    private func onnxRuntime() async throws -> EncoderPool {
        let library = try runtimes.onnxRuntime()
        let graph = try await store.graph(.onnx, for: id)
        let session = try await OnnxSession.load(library: library, modelPath: graph.url)
        let backend = OnnxEncoderSession.backend(session)
        return try await EncoderPool(backend, workers: runtimes.workers(), check: check(graph, backend))
    }

    /// The self-test: a new session answers a few tokens whose answer is known.
    private func check(
        _ graph: DerivedFile,
        _ backend: EncoderBackend
    ) -> @Sendable (any EncoderSession) throws -> Void {
        { session in
            guard let probe = graph.record.probe else { return }
            let answer = try session.run(TokenizedText(ids: probe.ids))
            let distance = probe.distance(to: answer)
            guard distance <= backend.precision.tolerance else {
                throw BreezeError(
                    .loadFailed,
                    """
                    \(backend.name) failed its self-test: its answer to a known text is off by \
                    \(distance.formatted(.percent.precision(.significantDigits(2)))), and \
                    \(backend.precision.tolerance.formatted(.percent)) is allowed.
                    """,
                    remedy: "Run `make setup` for the runtime that belongs to this version."
                )
            }
        }
    }
}
