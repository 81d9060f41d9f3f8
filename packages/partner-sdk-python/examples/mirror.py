"""Keeps a copy of the responses of all connected shops in SQLite, until it is stopped. May be killed at any time.

    python3 mirror.py connections.db mirror.db
"""

import json
import os
import sqlite3
import sys

from partner_connect import FollowedCopy, PartnerConnect, SqliteStore, SyncBatch

connections, mirror = sys.argv[1:]
database = sqlite3.connect(mirror, check_same_thread=False, isolation_level=None, timeout=30)  # called by one thread at a time
database.execute("CREATE TABLE IF NOT EXISTS responses (connection TEXT, id TEXT, record TEXT NOT NULL, PRIMARY KEY (connection, id))")
database.execute("CREATE TABLE IF NOT EXISTS states (of TEXT PRIMARY KEY, state TEXT NOT NULL)")


def read(of="feed"):
    row = database.execute("SELECT state FROM states WHERE of = ?", (of,)).fetchone()
    return json.loads(row[0]) if row else None


def keep(state, previous, of="feed", batch=SyncBatch([], [], {}, False)):
    with database:  # one transaction: all of the batch and its state, or nothing
        database.execute("BEGIN IMMEDIATE")
        if read(of) != previous:
            return False  # another process has written it
        if batch.reset:
            database.execute("DELETE FROM responses WHERE connection = ?", (of,))
        records = [(of, response["id"], json.dumps(response)) for response in batch.responses]
        database.executemany("INSERT OR REPLACE INTO responses VALUES (?, ?, ?)", records)
        database.executemany("DELETE FROM responses WHERE connection = ? AND id = ?", [(of, id) for id in batch.deleted_ids])
        database.execute("INSERT OR REPLACE INTO states VALUES (?, ?)", (of, json.dumps(state)))
        return True


def changed(connection, status):
    print(connection.connection_id, status)
    if status == "revoked":
        with database:
            database.execute("BEGIN IMMEDIATE")
            database.execute("DELETE FROM responses WHERE connection = ?", (connection.connection_id,))
            database.execute("DELETE FROM states WHERE of = ?", (connection.connection_id,))


PartnerConnect(
    base_url=os.environ["PARTNER_CONNECT_URL"],
    client_id=os.environ["PARTNER_CONNECT_CLIENT_ID"],
    client_secret=os.environ["PARTNER_CONNECT_CLIENT_SECRET"],
    store=SqliteStore(connections),
).follow(
    read_state=read,
    keep_state=keep,
    read_copy_state=read,
    apply=lambda batch, copy: keep(batch.state, copy.previous, copy.connection_id, batch),
    connection_changed=changed,
    trouble=lambda error, connection_id: print(connection_id or "all", error, file=sys.stderr),
)
