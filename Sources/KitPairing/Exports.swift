// What such an app handles as well: the opener that it may bring, and the codes of what goes wrong on this way.
@_exported public import BreezeOpeners
@_exported public import BreezeScheme
