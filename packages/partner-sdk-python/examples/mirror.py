"""Keeps a copy of a connected shop's responses in SQLite. May be killed at any time; run it again, as often as you like.

    python3 mirror.py connections.db CONNECTION_ID mirror.db
"""

import json
import os
import sqlite3
import sys

from partner_connect import PartnerConnect, SqliteStore

connections, connection_id, mirror = sys.argv[1:]
partner_connect = PartnerConnect(
    base_url=os.environ["PARTNER_CONNECT_URL"],
    client_id=os.environ["PARTNER_CONNECT_CLIENT_ID"],
    client_secret=os.environ["PARTNER_CONNECT_CLIENT_SECRET"],
    store=SqliteStore(connections),
)
database = sqlite3.connect(mirror)
database.execute("CREATE TABLE IF NOT EXISTS responses (id TEXT PRIMARY KEY, record TEXT NOT NULL)")
database.execute("CREATE TABLE IF NOT EXISTS sync (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), state TEXT NOT NULL)")

kept = database.execute("SELECT state FROM sync").fetchone()
for batch in partner_connect.shop(connection_id).sync_responses(json.loads(kept[0]) if kept else None):
    with database:  # one transaction: all of the batch, or nothing
        if batch.reset:
            database.execute("DELETE FROM responses")
        records = ((response["id"], json.dumps(response)) for response in batch.responses)
        database.executemany("INSERT OR REPLACE INTO responses VALUES (?, ?)", records)
        database.executemany("DELETE FROM responses WHERE id = ?", ((id,) for id in batch.deleted_ids))
        database.execute("INSERT OR REPLACE INTO sync VALUES (1, ?)", (json.dumps(batch.state),))
database.close()
