"""What Python's email package reads of message files: JSON paths in, JSON answers out, null for defective ones."""

import email
import email.policy
import json
import sys


# Their content is fields and no message; a list of messages to this package all the same.
NO_MESSAGES = ("message/delivery-status", "message/partial", "message/external-body")


def parts(message):
    yield message
    if message.is_multipart() and message.get_content_type() not in NO_MESSAGES:
        for part in message.get_payload():
            yield from parts(part)


def tree(message):
    """Types, the root of an attached message after the part that holds it."""
    return [part.get_content_type() for part in parts(message)]


def answer(path):
    with open(path, "rb") as file:
        message = email.message_from_binary_file(file, policy=email.policy.default)
    try:
        if any(part.defects for part in parts(message)):
            return None
        for name in ("subject", "from", "message-id"):
            values = message.get_all(name) or []
            if len(values) > 1 or any(value.defects for value in values):
                return None
        sender = message["from"]
        return {
            "subject": message["subject"] and str(message["subject"]),
            "from": [[a.display_name, a.addr_spec] for a in sender.addresses] if sender else [],
            "id": message["message-id"] and str(message["message-id"]).strip().strip("<>"),
            "types": tree(message),
        }
    except Exception:  # The package itself stumbles over some of them.
        return None


json.dump({path: answer(path) for path in json.load(sys.stdin)}, sys.stdout)
