"""Which rows SQLite's FTS5 finds: JSON {columns, rows, queries} in, for each query the row numbers or an error out."""

import json
import sqlite3
import sys

job = json.load(sys.stdin)
database = sqlite3.connect(":memory:")
columns = ", ".join(job["columns"])
database.execute(f"CREATE VIRTUAL TABLE mail USING fts5({columns}, tokenize=\"unicode61 remove_diacritics 2\")")
marks = ", ".join("?" for _ in job["columns"])
for number, row in enumerate(job["rows"]):
    database.execute(f"INSERT INTO mail (rowid, {columns}) VALUES ({number}, {marks})", row)

answers = []
for query in job["queries"]:
    try:
        found = database.execute("SELECT rowid FROM mail WHERE mail MATCH ? ORDER BY rowid", (query,))
        answers.append({"rows": [row[0] for row in found]})
    except sqlite3.Error as error:
        answers.append({"rows": [], "error": str(error)})
json.dump(answers, sys.stdout)
