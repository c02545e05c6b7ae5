/// The description of the hub's whole API, as OpenAPI 3.1 has it.
package enum APIDocument {
    /// JSON, in UTF-8.
    package static let bytes: [UInt8] = PackageResources.openapi_json
}
