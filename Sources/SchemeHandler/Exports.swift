// Whoever handles URLs opens those that hold the answers.
@_exported public import BreezeOpeners
