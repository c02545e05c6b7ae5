#!/usr/bin/env python3
"""The part `vectors` of bench.py: the ten nearest of 1,000,000 vectors of 384 signed bytes.

Breeze searches the files that its store maps, against two things in the same run. A plain read: the sum of the same
bytes by the processor's widest loads, with as many threads. And sqlite-vec (a vec0 table of int8[384]), which has one
thread, against one thread of Breeze, by the cosine; both have to find the same rows in the same order. Alternating
rounds; the best of each side counts.
"""
import ctypes
import ctypes.util
import importlib.util
import os
import pathlib
import sqlite3
import sys
import tempfile
import time

import numpy
from bench_program import Program

DIMENSION, LIMIT, SEED, QUERIES = 384, 10, 11, 3
# Its fastest ways on a million rows. The cosine is judged, since it answers the same question with the same rows. L2 is
# faster and shown beside it: it orders as the cosine does only where all rows have one length, and these have not.
TABLES = {
    "cosine": f"embedding int8[{DIMENSION}] distance_metric=cosine, chunk_size=4096",
    "L2": f"embedding int8[{DIMENSION}]",
}


class Database:
    """SQLite by its C interface: Python's own module is often built without extensions."""

    def __init__(self, extension):
        name = ctypes.util.find_library("sqlite3") or "libsqlite3.so.0"
        self.library = ctypes.CDLL(name)
        for function in ("sqlite3_errmsg", "sqlite3_column_text"):
            getattr(self.library, function).restype = ctypes.c_char_p
        self.library.sqlite3_column_int64.restype = ctypes.c_int64
        self.handle = ctypes.c_void_p()
        self.check(self.library.sqlite3_open(b":memory:", ctypes.byref(self.handle)))
        self.check(self.library.sqlite3_enable_load_extension(self.handle, 1))
        self.check(self.library.sqlite3_load_extension(self.handle, str(extension).encode(), None, None))

    def check(self, code, expected=0):
        if code != expected:
            sys.exit(f"bench: SQLite: {self.library.sqlite3_errmsg(self.handle).decode()}")

    def prepare(self, text):
        statement = ctypes.c_void_p()
        self.check(self.library.sqlite3_prepare_v2(self.handle, text.encode(), -1, ctypes.byref(statement), None))
        return statement

    def run(self, text):
        statement = self.prepare(text)
        self.check(self.library.sqlite3_step(statement), 101)
        self.check(self.library.sqlite3_finalize(statement))

    def fill(self, declaration, rows):
        self.run("DROP TABLE IF EXISTS vectors")
        self.run(f"CREATE VIRTUAL TABLE vectors USING vec0({declaration})")
        self.run("BEGIN")
        statement = self.prepare("INSERT INTO vectors(rowid, embedding) VALUES (?, vec_int8(?))")
        for number, row in enumerate(rows):
            data = row.tobytes()
            self.library.sqlite3_bind_int64(statement, 1, ctypes.c_int64(number))
            self.library.sqlite3_bind_blob(statement, 2, data, len(data), ctypes.c_void_p(-1))
            self.check(self.library.sqlite3_step(statement), 101)
            self.library.sqlite3_reset(statement)
        self.library.sqlite3_finalize(statement)
        self.run("COMMIT")

    def search(self, query):
        """The seconds from the statement to the last row, and the rows. This SQLite may not push a LIMIT down."""
        data = query.tobytes()
        text = f"SELECT rowid FROM vectors WHERE embedding MATCH vec_int8(?) AND k = {LIMIT} ORDER BY distance"
        statement = self.prepare(text)
        self.library.sqlite3_bind_blob(statement, 1, data, len(data), ctypes.c_void_p(-1))
        rows, start = [], time.perf_counter()
        while self.library.sqlite3_step(statement) == 100:
            rows.append(self.library.sqlite3_column_int64(statement, 0))
        spent = time.perf_counter() - start
        self.library.sqlite3_finalize(statement)
        return spent, rows


def extension():
    """sqlite-vec's library, or None where it is not installed."""
    found = importlib.util.find_spec("sqlite_vec")
    return found and next(pathlib.Path(found.origin).parent.glob("vec0.*"), None)


def make_rows(count, file):
    """Rows around centres, in signed bytes, and queries that stand near some of them."""
    dice = numpy.random.default_rng(SEED)
    centres = dice.standard_normal((1000, DIMENSION), numpy.float32)

    def quantized(vectors):
        return numpy.rint(vectors * (127 / numpy.abs(vectors).max(1, keepdims=True))).astype(numpy.int8)

    with file.open("wb") as output:
        for first in range(0, count, 50_000):
            size = min(50_000, count - first)
            near = centres[dice.integers(0, 1000, size)] + dice.standard_normal((size, DIMENSION), numpy.float32)
            output.write(quantized(near).tobytes())
    rows = numpy.memmap(file, numpy.int8, "r").reshape(-1, DIMENSION)
    chosen = rows[dice.integers(0, count, QUERIES)].astype(numpy.float32)
    return rows, quantized(chosen + 10 * dice.standard_normal(chosen.shape, numpy.float32))


def blob_seconds(rows, folder):
    """Opening the same rows from a table of blobs: all of them read once, in SQLite's fastest order."""
    database = sqlite3.connect(pathlib.Path(folder, "blobs.sqlite"))
    database.execute("PRAGMA journal_mode = OFF")
    database.execute("CREATE TABLE vectors(id INTEGER PRIMARY KEY, scale REAL, vector BLOB)")
    with database:
        database.executemany("INSERT INTO vectors VALUES (?, 1.0, ?)", ((i, row.tobytes()) for i, row in enumerate(rows)))
    memory, start = numpy.empty(rows.size, numpy.int8).reshape(rows.shape), time.perf_counter()
    for number, _, vector in database.execute("SELECT id, scale, vector FROM vectors"):
        memory[number] = numpy.frombuffer(vector, numpy.int8)
    spent = time.perf_counter() - start
    database.close()
    return spent


def measure_breeze(breeze, queries, rounds):
    best = {}
    for _ in range(rounds):
        for workers in sorted({1, os.cpu_count() or 1}):
            for query in queries:
                spent = {
                    "read": breeze.ask(kind="read", workers=workers)["seconds"],
                    "search": breeze.ask(kind="search", queries=[query], limit=LIMIT, workers=workers)["seconds"],
                }
                for side, seconds in spent.items():
                    best[side, workers] = min(seconds, best.get((side, workers), seconds))
    return best


def resident_growth(arguments, place, queries):
    """What a process of its own takes more once it has opened the store and searched it: each search reads all rows."""
    breeze = Program(arguments.program, "vectors")
    # So that what a first answer takes is there before.
    breeze.ask(kind="memory")
    before = breeze.ask(kind="memory")["resident"]
    breeze.ask(kind="open", verified=True, **place)
    for query in queries:
        breeze.ask(kind="search", queries=[query], limit=LIMIT, workers=os.cpu_count() or 1)
    growth = breeze.ask(kind="memory")["resident"] - before
    breeze.end()
    return growth


def measure(arguments):
    with tempfile.TemporaryDirectory() as folder:
        rows, queries = make_rows(arguments.rows, pathlib.Path(folder, "rows"))
        listed = [query.tolist() for query in queries]
        breeze = Program(arguments.program, "vectors")
        place = {"folder": f"{folder}/index", "dimension": DIMENSION}
        made = breeze.ask(kind="make", rows=f"{folder}/rows", **place)
        opened = {verified: min(breeze.ask(kind="open", verified=verified, **place)["seconds"] for _ in range(3))
                  for verified in (False, True)}
        cores = os.cpu_count() or 1
        best = measure_breeze(breeze, listed, arguments.rounds)
        batch = min(breeze.ask(kind="search", queries=listed * 8, limit=LIMIT, workers=cores)["seconds"]
                    for _ in range(arguments.rounds)) / (8 * QUERIES)
        answers = [breeze.ask(kind="search", queries=[query], limit=LIMIT)["ids"] for query in listed]
        figures = {
            "rows": len(rows), "cores": cores, "makeSeconds": made["seconds"], "vectorBytes": made["bytes"],
            "vectorResident": resident_growth(arguments, place, listed),
            "openSeconds": opened[False], "verifiedOpenSeconds": opened[True], "batchSeconds": batch,
            "readSeconds": [best["read", 1], best["read", cores]],
            "searchSeconds": [best["search", 1], best["search", cores]],
            "vectorReadRatio": best["search", 1] / best["read", 1],
            "vectorReadRatioCores": best["search", cores] / best["read", cores],
            "blobSeconds": blob_seconds(rows, folder) if arguments.blobs else None,
            "sqliteVec": {}, "vectorSqliteRatio": None, "notJudged": {},
        }
        library = extension()
        if library is None:
            figures["notJudged"]["vectorSqliteRatio"] = "sqlite-vec is not installed beside the test tools"
            return figures
        for name, declaration in TABLES.items():
            database = Database(library)
            database.fill(declaration, rows)
            spent = []
            for query, answer in zip([*queries] * 2, answers * 2):
                seconds, found = database.search(query)
                if name == "cosine" and found != answer:
                    sys.exit(f"bench: sqlite-vec finds {found}, and Breeze {answer}")
                spent.append(seconds)
                # A round of ours between two of theirs.
                again = breeze.ask(kind="search", queries=[listed[0]], limit=LIMIT, workers=1)["seconds"]
                best["search", 1] = min(best["search", 1], again)
            figures["sqliteVec"][name] = min(spent)
            database.library.sqlite3_close(database.handle)
        figures["searchSeconds"][0] = best["search", 1]
        figures["vectorSqliteRatio"] = figures["sqliteVec"]["cosine"] / best["search", 1]
        return figures


def report(figures):
    ms = [f"{seconds * 1e3:.1f}" for seconds in (*figures["readSeconds"], *figures["searchSeconds"])]
    yield f"vectors, the {LIMIT} nearest of {figures['rows']} x {DIMENSION} signed bytes, best round, ms:"
    yield f"  1 thread     a plain read {ms[0]}, a search {ms[2]} ({figures['vectorReadRatio']:.2f} times)"
    yield f"  {figures['cores']} threads    a plain read {ms[1]}, a search {ms[3]} ({figures['vectorReadRatioCores']:.2f} times)"
    yield f"  a query of a batch of {8 * QUERIES}, {figures['cores']} threads: {figures['batchSeconds'] * 1e3:.2f}"
    for name, seconds in figures["sqliteVec"].items():
        times = seconds / figures["searchSeconds"][0]
        yield f"  sqlite-vec, int8, {name}: {seconds * 1e3:.0f} ({times:.0f} times Breeze's, 1 thread)"
    yield (
        f"  {figures['vectorBytes'] / 1e6:.0f} MB, {figures['vectorResident'] / 1e6:.0f} MB more in memory when opened "
        f"and searched; made in {figures['makeSeconds']:.2f} s, opened in "
        f"{figures['openSeconds'] * 1e3:.1f} ms, every row checked in {figures['verifiedOpenSeconds'] * 1e3:.0f} ms"
    )
    if figures["blobSeconds"] is not None:
        yield f"  the same rows read from SQLite blobs into memory: {figures['blobSeconds'] * 1e3:.0f} ms"
