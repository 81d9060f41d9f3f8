import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from typing import Any, Dict, List, Optional

import partner_connect as pc
from tests.world import (
    API_KEY, BASE_URL, CLIENT_ID, CLIENT_SECRET, FAULTY_URL, MovedClock, WorldTest, connect, faults, new_client, new_shop, operator,
    random_faults, response,
)


class Mirror:
    """What a program keeps: records by id, and the state. A crash loses what a batch had done but for all of it."""

    def __init__(self) -> None:
        self.records: Dict[str, Any] = {}
        self.state: Optional[Dict[str, Any]] = None
        self.resets = 0

    def apply(self, batch: pc.SyncBatch) -> None:
        if batch.reset:
            self.resets += 1
            self.records = {}
        for record in batch.responses:
            self.records[record["id"]] = record
        for id in batch.deleted_ids:
            self.records.pop(id, None)
        self.state = json.loads(json.dumps(batch.state))

    def sync(self, shop: pc.ShopClient) -> int:
        batches = 0
        for batch in shop.sync_responses(self.state):
            self.apply(batch)
            batches += 1
        return batches


class Sync(WorldTest):
    def setUp(self) -> None:
        super().setUp()
        self.shop_id, self.api_key = new_shop()
        self.clock = MovedClock()
        self.shop = pc.shop_with_api_key(base_url=BASE_URL, api_key=self.api_key, clock=self.clock)
        self.faulty = pc.shop_with_api_key(base_url=FAULTY_URL, api_key=self.api_key)
        self.mirror = Mirror()

    def load(self, records: List[Dict[str, Any]]) -> List[str]:
        operator("response", "import", "--shop", self.shop_id, "-", records=records)
        return [record["id"] for record in records]

    def delete(self, id: str) -> None:
        operator("response", "delete", "--shop", self.shop_id, "--id", id, "--yes")

    def recategorize(self, id: str, value: str) -> None:
        operator("response", "recategorize", "--shop", self.shop_id, "--id", id, "--response", value)

    def same(self) -> None:
        self.assertEqual(self.mirror.records, {record["id"]: record for record in self.shop.list_responses()})

    def test_a_mirror_follows_what_is_added_changed_deleted_and_brought_back(self) -> None:
        self.mirror.sync(self.shop)
        self.same()
        ids = self.load([response() for _ in range(30)])
        self.mirror.sync(self.shop)
        self.same()
        self.recategorize(ids[3], "Radio")
        self.delete(ids[4])
        self.delete(ids[5])
        self.mirror.sync(self.shop)
        self.same()
        self.assertEqual((len(self.mirror.records), self.mirror.records[ids[3]]["response"]), (28, "Radio"))
        # Brought back, also the one that was the last deletion that the mirror has seen, and deleted again.
        self.load([response(id=ids[5]), response(id=ids[4])])
        self.mirror.sync(self.shop)
        self.same()
        self.delete(ids[5])
        self.mirror.sync(self.shop)
        self.same()
        self.assertEqual((len(self.mirror.records), self.mirror.resets), (29, 1))
        self.assertEqual(self.mirror.sync(self.shop), 1)

    def test_a_deletion_during_the_first_copy_is_not_missed(self) -> None:
        ids = self.load([response() for _ in range(2500)])
        for batch in self.shop.sync_responses(None):
            self.mirror.apply(batch)
            if len(self.mirror.records) >= 1000 and ids[0] in self.mirror.records:
                self.delete(ids.pop(0))
        self.same()

    def test_a_stop_at_any_point_loses_nothing(self) -> None:
        ids = self.load([response() for _ in range(40)])
        batch_size, pc._BATCH = pc._BATCH, 5
        self.addCleanup(setattr, pc, "_BATCH", batch_size)
        self.delete(ids[0])
        for step in range(12):
            for place, batch in enumerate(self.shop.sync_responses(self.mirror.state)):
                if place == step % 4:
                    break
                self.mirror.apply(batch)
            if step in (2, 5, 8):
                self.delete(ids[step])
                self.recategorize(ids[step + 10], "Radio")
        self.mirror.sync(self.shop)
        self.same()
        self.assertEqual(self.mirror.resets, 1)

    def test_is_the_shop_whatever_happens_on_the_way(self) -> None:
        ids = self.load([response(email=f"{'é' * 50}{n}@customer.example") for n in range(3000)])
        random_faults(seed=11, one_in=3)
        self.mirror.sync(self.faulty)
        self.same()
        for n in range(6):
            self.delete(ids[n])
        self.recategorize(ids[10], "Radio")
        for _ in range(5):
            self.mirror.sync(self.faulty)
        self.same()
        self.assertEqual(self.mirror.resets, 1)

    def test_an_export_goes_on_where_it_broke_off(self) -> None:
        self.load([response() for _ in range(3000)])
        cut = {"path": "/api/responses?sort=updated_at_asc", "fault": "cut"}
        faults(cut, cut, cut, {**cut, "fault": "drop-answer"})
        self.mirror.sync(self.faulty)
        self.same()

    def test_a_state_that_can_not_be_gone_on_from_begins_again(self) -> None:
        kept = self.load([response() for _ in range(10)])
        self.mirror.sync(self.shop)
        self.mirror.records["gone long ago"] = {}
        state = self.mirror.state
        assert state is not None
        self.mirror.state = {**state, "responses": {"id": "forgotten", "updated_at": "2020-01-01T00:00:00.000Z"}}
        self.mirror.sync(self.shop)
        self.same()
        self.assertEqual((sorted(self.mirror.records), self.mirror.resets), (sorted(kept), 2))
        # 400 days without a sync: deletions may have been forgotten.
        self.mirror.records["gone long ago"] = {}
        self.clock.advance(395 * 86_400)
        self.mirror.sync(self.shop)
        self.same()
        # Another program's state.
        self.mirror.state = {"version": 9}
        self.mirror.sync(self.shop)
        self.same()
        self.assertEqual(self.mirror.resets, 4)


class Killed(WorldTest):
    def test_a_mirror_that_is_killed_again_and_again_ends_with_exactly_the_shops_rows(self) -> None:
        shop_id, api_key = new_shop()
        made = [response(email=f"{n}@customer.example") for n in range(5000)]
        operator("response", "import", "--shop", shop_id, "-", records=made)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        connections, mirror = os.path.join(folder.name, "connections.db"), os.path.join(folder.name, "mirror.db")
        store = pc.SqliteStore(connections)
        self.assertEqual(os.stat(connections).st_mode & 0o777, 0o600)
        connection = connect(new_client(store=store), {"id": shop_id, "name": operator("shop", "show", shop_id)["name"]})
        store.close()

        environment = {
            **os.environ, "PARTNER_CONNECT_URL": BASE_URL, "PARTNER_CONNECT_CLIENT_ID": CLIENT_ID,
            "PARTNER_CONNECT_CLIENT_SECRET": CLIENT_SECRET,
        }
        command = [sys.executable, "-W", "error", "examples/mirror.py", connections, connection.id, mirror]
        over = threading.Event()

        def change() -> None:
            for n in range(0, 5000, 400):
                if not over.is_set():
                    operator("response", "delete", "--shop", shop_id, "--id", made[n]["id"], "--yes")
                    operator("response", "import", "--shop", shop_id, "-", records=[response(id=made[n]["id"])] if n % 800 else [response()])

        changing = threading.Thread(target=change)
        changing.start()
        for n in range(8):
            process = subprocess.Popen(command, env=environment)
            time.sleep(0.15 + 0.06 * n)
            process.send_signal(signal.SIGKILL)
            process.wait()
        over.set()
        changing.join()
        subprocess.run(command, env=environment, check=True)
        database = sqlite3.connect(mirror)
        rows = {id: json.loads(record) for id, record in database.execute("SELECT id, record FROM responses")}
        database.close()
        self.assertEqual(rows, {r["id"]: r for r in pc.shop_with_api_key(base_url=BASE_URL, api_key=api_key).list_responses()})


if __name__ == "__main__":
    unittest.main()
