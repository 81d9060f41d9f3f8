import json
import unittest
from typing import Any, Dict, List, Optional

import partner_connect as pc
from tests.world import API_KEY, BASE_URL, FAULTY_URL, MovedClock, WorldTest, calls, faults, new_shop, operator, random_faults, response


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


def differences(records: Dict[str, Any], shop: pc.ShopClient) -> List[str]:
    """The ids of records that are not as the shop has them."""
    shown = {record["id"]: record for record in shop.list_responses()}
    return [id for id in {**records, **shown} if records.get(id) != shown.get(id)]


class Sync(WorldTest):
    """One shop for all tests; each begins with an empty mirror. Batches are small, so that there are many."""

    shop_id: str
    api_key: str

    @classmethod
    def setUpClass(cls) -> None:
        cls.shop_id, cls.api_key = new_shop()
        cls.load([response(email=f"{'é' * 50}{n}@customer.example") for n in range(600)])

    def setUp(self) -> None:
        super().setUp()
        for name, value in (("_BATCH", 50), ("_BATCH_BYTES", 50_000)):
            self.addCleanup(setattr, pc, name, getattr(pc, name))
            setattr(pc, name, value)
        self.clock = MovedClock()
        self.shop = pc.shop_with_api_key(base_url=BASE_URL, api_key=self.api_key, clock=self.clock)
        self.faulty = pc.shop_with_api_key(base_url=FAULTY_URL, api_key=self.api_key)
        self.mirror = Mirror()

    @classmethod
    def load(cls, records: List[Dict[str, Any]]) -> List[str]:
        operator("response", "import", "--shop", cls.shop_id, "-", records=records)
        return [record["id"] for record in records]

    def delete(self, id: str) -> None:
        operator("response", "delete", "--shop", self.shop_id, "--id", id, "--yes")

    def recategorize(self, id: str, value: str) -> None:
        operator("response", "recategorize", "--shop", self.shop_id, "--id", id, "--response", value)

    def same(self, resets: int = 1) -> None:
        self.assertEqual(differences(self.mirror.records, self.shop), [])
        self.assertGreaterEqual(len(self.mirror.records), 500)
        self.assertEqual(self.mirror.resets, resets)

    def test_a_mirror_follows_what_is_added_changed_deleted_and_brought_back(self) -> None:
        self.mirror.sync(self.shop)
        self.same()
        ids = self.load([response() for _ in range(30)])
        self.recategorize(ids[3], "Radio")
        self.mirror.sync(self.shop)
        self.same()
        self.assertEqual(self.mirror.records[ids[3]]["response"], "Radio")
        self.delete(ids[4])
        self.delete(ids[5])
        self.mirror.sync(self.shop)
        self.same()
        # Brought back, also the one that was the last deletion that the mirror has seen, and deleted again.
        self.load([response(id=ids[5]), response(id=ids[4])])
        self.mirror.sync(self.shop)
        self.same()
        self.delete(ids[5])
        self.mirror.sync(self.shop)
        self.same()
        self.assertIn(ids[4], self.mirror.records)
        self.assertEqual(self.mirror.sync(self.shop), 1)

    def test_a_deletion_during_the_first_copy_is_not_missed(self) -> None:
        deleted: List[str] = []
        for batch in self.shop.sync_responses(None):
            self.mirror.apply(batch)
            if batch.responses and batch.state["copying"] and len(deleted) < 2:
                deleted.append(batch.responses[0]["id"])
                self.delete(deleted[-1])
        self.assertEqual(len(deleted), 2)
        self.same()

    def test_a_stop_at_any_point_loses_nothing(self) -> None:
        ids = self.load([response() for _ in range(200)])
        for step in range(30):
            for place, batch in enumerate(self.shop.sync_responses(self.mirror.state)):
                if place == step % 4:
                    break
                self.mirror.apply(batch)
            if step in (3, 20):
                self.delete(ids[step])
                self.recategorize(ids[step + 1], "Radio")
        self.mirror.sync(self.shop)
        self.same()

    def test_is_the_shop_whatever_happens_on_the_way(self) -> None:
        random_faults(seed=11, one_in=3)
        self.mirror.sync(self.faulty)
        self.same()
        ids = self.load([response() for _ in range(200)])
        self.delete(ids[0])
        self.mirror.sync(self.faulty)
        self.same()

    def test_an_export_goes_on_where_it_broke_off(self) -> None:
        cut = {"path": "/api/responses?sort=updated_at_asc", "fault": "cut", "afterBytes": 4000}
        faults(cut, cut, cut, {**cut, "fault": "drop-answer"}, cut)
        self.mirror.sync(self.faulty)
        self.same()
        exports = [call["path"] for call in calls() if "updated_at_asc" in call["path"] and "limit" not in call["path"]]
        self.assertGreater(len(exports), 2)
        self.assertEqual(["starting_after" in path for path in exports], [False] + [True] * (len(exports) - 1))

    def test_pages_go_on_where_no_export_is_to_be_had(self) -> None:
        faults({"path": "/api/responses?sort=updated_at_asc", "fault": "gateway", "status": 429, "headers": {"retry-after": "3600"}})
        self.mirror.sync(self.faulty)
        self.same()
        walk = [call["path"] for call in calls() if "updated_at_asc" in call["path"]]
        self.assertEqual(["limit=50" in path for path in walk][:3], [False, True, True])

    def test_a_state_that_can_not_be_gone_on_from_begins_again(self) -> None:
        self.mirror.sync(self.shop)
        self.mirror.records["gone long ago"] = {}
        state = self.mirror.state
        assert state is not None
        self.mirror.state = {**state, "response": {"id": "forgotten", "updated_at": "2020-01-01T00:00:00.000Z"}}
        self.mirror.sync(self.shop)
        self.same(resets=2)
        # 395 days without a sync: deletions may have been forgotten.
        self.mirror.records["gone long ago"] = {}
        self.clock.advance(395 * 86_400)
        self.mirror.sync(self.shop)
        self.same(resets=3)

    def test_a_state_that_is_none_or_another_shops_is_refused(self) -> None:
        self.mirror.sync(self.shop)
        state = self.mirror.state
        assert state is not None
        nothing: Dict[str, Any] = {}
        for wrong in (nothing, {"version": 9}, {**state, "deletions_read_at": "yesterday"}, {**state, "copying": None}):
            with self.assertRaises(pc.InvalidRequest) as raised:
                list(self.shop.sync_responses(wrong))
            self.assertEqual(raised.exception.param, "state")
        other = pc.shop_with_api_key(base_url=BASE_URL, api_key=API_KEY)
        for wrong in (state, {**state, "response": None}, {**state, "deletions_read_at": "2020-01-01T00:00:00.000Z"}):
            with self.assertRaises(pc.InvalidRequest) as raised:
                list(other.sync_responses(wrong))
            self.assertEqual(raised.exception.param, "state")


if __name__ == "__main__":
    unittest.main()
