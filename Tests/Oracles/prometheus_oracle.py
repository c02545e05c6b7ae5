"""Reads metrics as Prometheus' own Python client reads them.

    python3 prometheus_oracle.py METRICS_TEXT > families.json

Prints a JSON list of the families with their samples. Ends with an error where the text does not parse, and where a
histogram contradicts itself: buckets that shrink, or that do not end at +Inf with the count.
"""

import json
import math
import sys

from prometheus_client.parser import text_string_to_metric_families


def check_histogram(family):
    series = {}
    for sample in family.samples:
        labels = dict(sample.labels)
        bound = labels.pop("le", None)
        parts = series.setdefault(tuple(sorted(labels.items())), {"buckets": []})
        if bound is None:
            parts[sample.name] = sample.value
        else:
            parts["buckets"].append((float(bound), sample.value))
    for labels, parts in series.items():
        where = f"{family.name}{dict(labels)}"
        bounds = [bound for bound, _ in parts["buckets"]]
        counts = [count for _, count in parts["buckets"]]
        total = parts[f"{family.name}_count"]
        if bounds != sorted(set(bounds)) or not math.isinf(bounds[-1]):
            sys.exit(f"{where}: the bounds are {bounds}")
        if counts != sorted(counts):
            sys.exit(f"{where}: the buckets shrink: {counts}")
        if counts[-1] != total:
            sys.exit(f"{where}: {counts[-1]} in the last bucket, {total} counted")
        # The sum must lie between what the buckets' bounds allow.
        each = [count - before for count, before in zip(counts, [0] + counts)]
        least = sum(count * bound for count, bound in zip(each[1:], bounds))
        most = sum(count * bound for count, bound in zip(each, bounds) if count)
        if not least <= parts[f"{family.name}_sum"] * (1 + 1e-9) <= most * (1 + 1e-6):
            sys.exit(f"{where}: a sum of {parts[family.name + '_sum']} outside {least} to {most}")


with open(sys.argv[1], encoding="utf-8", newline="") as file:
    families = list(text_string_to_metric_families(file.read()))
for family in families:
    if family.type == "histogram":
        check_histogram(family)
json.dump(
    [
        {
            "name": family.name,
            "type": family.type,
            "help": family.documentation,
            "samples": [
                {"name": sample.name, "labels": sample.labels, "value": float(sample.value)}
                for sample in family.samples
            ],
        }
        for family in families
    ],
    sys.stdout,
)
