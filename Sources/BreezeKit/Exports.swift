// An app imports one module: requests, answers and errors are BreezeCore's.
@_exported public import BreezeCore
