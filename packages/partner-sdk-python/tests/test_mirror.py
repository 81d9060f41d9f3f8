import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from typing import List, Sequence, Tuple

import partner_connect as pc
from tests import test_follow
from tests.world import FAULTY_URL, connect, faults, new_client, new_shops, operator


class Mirror(test_follow.FollowTest):
    def test_that_is_killed_again_and_again_ends_with_exactly_the_rows_of_all_shops(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        connections, mirror = os.path.join(folder.name, "connections.db"), os.path.join(folder.name, "mirror.db")
        store = pc.SqliteStore(connections)
        self.addCleanup(store.close)
        self.assertEqual(os.stat(connections).st_mode & 0o777, 0o600)
        client = new_client(store=store, token_calls_per_minute=1000, **self.partner)
        self.shops += new_shops(2)
        self.made = [made + self.load(shop, 1500) for shop, made in zip(self.shops, [*self.made, [], []])]
        self.ids = [connect(client, shop).id for shop in self.shops]
        environment = {
            **os.environ, "PYTHONPATH": os.getcwd(), "PARTNER_CONNECT_URL": FAULTY_URL,
            "PARTNER_CONNECT_CLIENT_ID": self.partner["client_id"], "PARTNER_CONNECT_CLIENT_SECRET": self.partner["client_secret"],
        }
        command = [sys.executable, "-W", "error", "examples/mirror.py", connections, mirror]
        chance = random.Random(26)
        over = threading.Event()

        def change() -> None:
            while not over.is_set():
                place = chance.randrange(len(self.shops))
                what = chance.choice(["load", "delete", "recategorize", "connect again"])
                if what == "load":
                    self.made[place] += self.load(self.shops[place], 20)
                elif what == "delete":
                    self.delete(place)
                elif what == "recategorize":
                    arguments = ["--shop", self.shops[place]["id"], "--id", chance.choice(self.made[place]), "--response", "Radio"]
                    operator("response", "recategorize", *arguments)
                else:
                    operator("connection", "revoke", self.ids[place], "--yes")
                    connect(client, self.shops[place])

        changing = threading.Thread(target=change)
        changing.start()
        output = os.path.join(folder.name, "output")
        copying = 0
        for n in range(12):
            # Each export breaks off after some hundred records, so that kills come in the middle of copies too.
            faults(*[{"path": "/api/responses?sort=updated_at_asc", "fault": "cut", "afterBytes": 20_000}] * 6)
            with open(output, "a") as file:
                process = subprocess.Popen(command, env=environment, stdout=file, stderr=file)
            # Some in the middle of a copy, whatever the machine's speed; the others at any point.
            end = time.monotonic() + (60 if n < 4 else chance.uniform(0.4, 2))
            while time.monotonic() < end and not (n < 4 and self.is_copying(mirror)):
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
            process.wait()
            copying += self.is_copying(mirror)
        over.set()
        changing.join()
        with open(output) as file:
            self.assertGreater(copying, 0, file.read()[-3000:])
        operator("connection", "revoke", self.ids[4], "--yes")
        with open(output, "a") as file:
            process = subprocess.Popen(command, env=environment, stdout=file, stderr=file)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)

        def is_mirrored(places: Sequence[int]) -> bool:
            self.copies.records = {id: {} for id in self.ids}
            for id, record in self.rows(mirror, "SELECT connection, record FROM responses"):
                parsed = json.loads(record)
                self.copies.records[id][parsed["id"]] = parsed
            return not self.copies.records[self.ids[4]] and all(self.is_copied(place) for place in places)

        self.until(lambda: is_mirrored(range(4)), 60)
        self.assertGreater(len(self.copies.records[self.ids[0]]), 1400)
        # Another store has the token of a newer approval; an operator holds a connection. The other shops go on.
        connect(new_client(**self.partner), self.shops[2])
        operator("connection", "disable", self.ids[3], "--yes")
        for place in range(4):
            self.made[place] += self.load(self.shops[place], 20)
        self.until(lambda: is_mirrored(range(2)), 60)
        operator("connection", "enable", self.ids[3])
        self.until(lambda: is_mirrored([0, 1, 3]), 60)
        self.assertIsNone(process.poll())

    def is_copying(self, mirror: str) -> bool:
        return any('"copying": true' in state for _, state in self.rows(mirror, "SELECT of, state FROM states"))

    def rows(self, mirror: str, statement: str) -> List[Tuple[str, str]]:
        database = sqlite3.connect(mirror, timeout=30)
        try:
            return database.execute(statement).fetchall()
        except sqlite3.OperationalError:
            return []
        finally:
            database.close()


if __name__ == "__main__":
    unittest.main()
