"""The reference implementation of `breezeapp://`, as docs/url-scheme.md has it.

usage: url_scheme.py vectors       prints the test vectors, the same ones each time
       url_scheme.py check FILE    holds a file of vectors against this implementation
       url_scheme.py attack        plays a man in the middle of pairing, a million times (about 15 seconds)
"""
import json
import os
import sys

import url_scheme_pair as pairing
from url_scheme_pair import AppPairing, HubPairing
from url_scheme_seal import AppSide, Hub, open_sealed, seal
from url_scheme_text import Refused, parse

__all__ = ["AppPairing", "AppSide", "Hub", "HubPairing", "Refused", "open_sealed", "parse", "seal"]


def vectors():
    import url_scheme_make

    # Escaped beyond ASCII: marks of direction are among the cases.
    print(json.dumps(url_scheme_make.make(), indent=1))


def check(path):
    import url_scheme_check

    with open(path, encoding="utf-8") as file:
        count, faults = url_scheme_check.check(json.load(file))
    for fault in faults:
        print(fault[:400])
    print(f"{count} values, {len(faults)} differ")
    return 1 if faults else 0


def attack():
    """Succeeds where the rates are within five deviations of what chance gives."""
    is_chance = True

    def tell(what, met, tries, digits):
        nonlocal is_chance
        expected = tries / 10**digits
        is_near = abs(met - expected) <= 5 * max(expected, 1) ** 0.5
        is_chance &= is_near
        print(f"{what}, {digits} digits: {met} of {tries} codes agree, chance gives {expected:g}")

    tell("whole pairings", sum(pairing.whole_attack(os.urandom, 2) for _ in range(5_000)), 5_000, 2)
    digits = (2, 3, 4, 5, 6)
    for count, met in zip(digits, pairing.middle(1_000_000, digits, os.urandom)):
        tell("codes alone", met, 1_000_000, count)
    tries = pairing.without_commitment(4, os.urandom, 1_000_000)
    print(f"without the commitment, 4 digits: he finds a nonce that makes the codes agree after {tries} tries")
    return 0 if is_chance and tries is not None else 1


def main():
    commands = {"vectors": (vectors, 0), "check": (check, 1), "attack": (attack, 0)}
    name, *rest = sys.argv[1:] or [""]
    if name not in commands or len(rest) != commands[name][1]:
        print(__doc__, file=sys.stderr)
        return 64
    return commands[name][0](*rest) or 0


if __name__ == "__main__":
    sys.exit(main())
