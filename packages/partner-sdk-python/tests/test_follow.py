import json
import threading
import time
import unittest
from typing import Any, Callable, Dict, List, Optional, Tuple

import partner_connect as pc
from tests.test_sync import differences
from tests.world import (
    BASE_URL, FAULTY_URL, MovedClock, WorldTest, calls, connect, faults, new_client, new_partner, new_shops, operator, random_faults, response,
)


class Copies:
    """What a program keeps: the records of each connection with their state, and the state of all. A crash between two steps loses none."""

    def __init__(self) -> None:
        self.records: Dict[str, Dict[str, Any]] = {}
        self.states: Dict[str, Any] = {}
        self.state: Optional[pc.FollowState] = None
        self.questions: Dict[str, int] = {}
        self.told: List[Tuple[str, str]] = []
        self.troubles: List[Tuple[str, Optional[str]]] = []
        self.resets = 0
        self.transaction = threading.Lock()
        #: Each calls `apply` by one thread at a time.
        self.processes = 1

    def keep_state(self, state: pc.FollowState, previous: Optional[pc.FollowState]) -> bool:
        if self.state != previous:
            return False
        self.state = json.loads(json.dumps(state))
        return True

    def apply(self, batch: pc.SyncBatch, copy: pc.FollowedCopy) -> bool:
        if not self.transaction.acquire(blocking=self.processes > 1):
            raise AssertionError("called by two threads at a time")
        try:
            time.sleep(0.001)
            if self.states.get(copy.connection_id) != copy.previous:
                return False
            records = {} if batch.reset else dict(self.records.get(copy.connection_id, {}))
            self.resets += batch.reset
            records.update({record["id"]: record for record in batch.responses})
            for id in batch.deleted_ids:
                records.pop(id, None)
            self.records[copy.connection_id] = records
            self.states[copy.connection_id] = json.loads(json.dumps(batch.state))
            return True
        finally:
            self.transaction.release()

    def functions(self) -> Dict[str, Any]:
        return {
            "read_state": lambda: self.state,
            "keep_state": self.keep_state,
            "read_copy_state": self.states.get,
            "apply": self.apply,
            "apply_questions": lambda questions, connection: self.questions.update({connection.connection_id: len(questions)}),
            "connection_changed": lambda connection, status: self.told.append((connection.connection_id, status)),
            "trouble": lambda error, id: self.troubles.append((type(error).__name__, id)),
        }


class Follower:
    """A process that follows. `stop` waits until it has ended."""

    def __init__(self, client: pc.PartnerConnect, copies: Copies, **functions: Any) -> None:
        self.stopping = threading.Event()
        self.error: Optional[BaseException] = None
        options = {**copies.functions(), **functions}

        def follow() -> None:
            try:
                client.follow(stop=self.stopping, parallel=3, **options)
            except BaseException as error:
                self.error = error

        self.thread = threading.Thread(target=follow)
        self.thread.start()

    def stop(self) -> None:
        self.stopping.set()
        self.thread.join(30)
        assert not self.thread.is_alive()


class FollowTest(WorldTest):
    """Three shops with 60 responses each, and a client of their own."""

    def setUp(self) -> None:
        super().setUp()
        self.partner = new_partner()
        self.store = pc.MemoryStore()
        self.clock = MovedClock()
        self.client = new_client(base_url=FAULTY_URL, store=self.store, clock=self.clock, timeout_seconds=10, **self.partner)
        self.shops = new_shops(3)
        self.made = [self.load(shop, 60) for shop in self.shops]
        self.ids = [connect(self.client, shop).id for shop in self.shops]
        self.copies = Copies()
        faults()

    def load(self, shop: Dict[str, str], count: int = 1) -> List[str]:
        records = [response() for _ in range(count)]
        operator("response", "import", "--shop", shop["id"], "-", records=records)
        return [record["id"] for record in records]

    def delete(self, place: int) -> None:
        operator("response", "delete", "--shop", self.shops[place]["id"], "--id", self.made[place].pop(), "--yes")

    def follow(self, client: Optional[pc.PartnerConnect] = None, **functions: Any) -> Follower:
        follower = Follower(client or self.client, self.copies, **functions)
        self.addCleanup(follower.stop)
        return follower

    def until(self, is_so: Callable[[], Any], seconds: float = 40) -> None:
        end = time.monotonic() + seconds
        while not is_so():
            self.assertLess(time.monotonic(), end, (self.copies.troubles, self.copies.told, self.copies.state))
            time.sleep(0.05)

    def is_copied(self, place: int) -> bool:
        shop = pc.shop_with_api_key(base_url=BASE_URL, api_key=self.shops[place]["api_key"])
        return differences(dict(self.copies.records.get(self.ids[place], {})), shop) == []

    def until_copied(self, *places: int) -> None:
        for place in places or range(len(self.ids)):
            self.until(lambda: self.is_copied(place))

    def until_idle(self) -> pc.FollowState:
        """Nothing is pending, and the state that is kept says so."""
        self.until(lambda: self.copies.state is not None and not self.copies.state["pending"])
        assert self.copies.state is not None
        return self.copies.state


class Follow(FollowTest):
    def test_copies_all_shops_and_what_changes_in_them_by_one_token_call(self) -> None:
        self.clock.advance(3600)
        operator("question", "import", "--shop", self.shops[1]["id"], "-", records=[{"id": 7, "prompt": "How?", "type": "open_ended"}])
        follower = self.follow()
        self.until_copied()
        self.until(lambda: self.copies.questions == {self.ids[0]: 0, self.ids[1]: 1, self.ids[2]: 0})
        tokens = [call["path"] for call in calls() if "/token" in call["path"]]
        self.assertLess(len(tokens), 4)
        self.load(self.shops[0], 20)
        self.delete(1)
        operator("response", "recategorize", "--shop", self.shops[2]["id"], "--id", self.made[2][0], "--response", "Radio")
        self.until_copied()
        self.until_idle()
        follower.stop()
        self.assertIsNone(follower.error)
        self.assertEqual((self.copies.troubles, self.copies.resets), ([], 3))
        self.assertLessEqual({(id, "connected") for id in self.ids}, set(self.copies.told))
        # What is kept is gone on from: nothing is read but the feed.
        faults()
        follower = self.follow()
        self.until(lambda: [call for call in calls() if call["path"].startswith("/oauth/api/changes")])
        self.load(self.shops[0])
        self.until_copied(0)
        follower.stop()
        self.assertLess(len([call for call in calls() if call["path"].startswith("/api/")]), 8)

    def test_connections_that_begin_are_copied_and_those_that_end_are_told(self) -> None:
        self.follow()
        self.until_copied()
        new = new_shops(1)[0]
        self.load(new, 5)
        self.shops.append(new)
        self.ids.append(connect(self.client, new).id)
        self.until_copied(3)
        operator("connection", "revoke", self.ids[0], "--yes")
        operator("connection", "disable", self.ids[1], "--yes")
        self.until(lambda: {(self.ids[0], "revoked"), (self.ids[1], "disabled")} <= set(self.copies.told))
        self.load(self.shops[0])
        self.load(self.shops[1])
        self.until_idle()
        self.assertFalse(self.is_copied(0))
        # The merchant connects again; the hold ends. Both go on by themselves, with what came meanwhile.
        self.assertEqual(connect(self.client, self.shops[0]).id, self.ids[0])
        operator("connection", "enable", self.ids[1])
        self.until_copied(0, 1)
        self.assertEqual(self.copies.resets, 4)

    def test_tokens_that_reach_the_store_after_the_feed_are_waited_for(self) -> None:
        late = pc.MemoryStore()
        for connection in self.store.list():
            if connection.id != self.ids[0]:
                late.put(connection)
        self.follow(new_client(store=late, timeout_seconds=10, **self.partner))
        self.until_copied(1, 2)
        late.put(self.client.stored(self.ids[0]))
        self.until_copied(0)
        self.assertEqual(self.copies.troubles, [])

    def test_a_shop_that_fails_holds_up_no_other_and_is_tried_again(self) -> None:
        is_failing = True

        def apply(batch: pc.SyncBatch, copy: pc.FollowedCopy) -> bool:
            if copy.connection_id == self.ids[1] and is_failing:
                raise ValueError("no room for this shop")
            return self.copies.apply(batch, copy)

        follower = self.follow(apply=apply)
        self.until_copied(0, 2)
        self.load(self.shops[0])
        self.until_copied(0)
        self.until(lambda: self.copies.troubles.count(("ValueError", self.ids[1])) > 1)
        # It is not forgotten when the process ends.
        self.until(lambda: self.copies.state and [one["connection_id"] for one in self.copies.state["pending"]] == [self.ids[1]])
        follower.stop()
        is_failing = False
        self.follow(apply=apply)
        self.until_copied()

    def test_is_the_shops_whatever_happens_on_the_way(self) -> None:
        random_faults(seed=5, one_in=4)
        self.follow()
        self.until_copied()
        for place in range(3):
            self.load(self.shops[place], 10)
            self.delete(place)
        self.until_copied()

    def test_what_a_restored_server_has_lost_leaves_the_copies(self) -> None:
        follower = self.follow()
        self.until_copied()
        self.until_idle()
        follower.stop()
        # Of the first shop the copy has a response that the server lost; of the second a deletion. The third is as it was.
        first, second, third = self.ids
        lost = {"id": "r-lost", "updated_at": "2020-01-01T00:00:00.000Z"}
        self.copies.records[first]["r-lost"] = lost
        self.copies.states[first]["response"] = lost
        gone = self.copies.records[second].popitem()[0]
        self.copies.states[second]["deletion"] = {"id": gone, "deleted_at": "2020-01-01T00:00:00.000Z"}
        # And a connection that the server knows nothing of.
        self.store.put(pc.StoredConnection("con_lost", pc.ConnectedShop("shop_lost", "Lost", None, "standard"), "", "pcr_lost", ""))
        faults({"path": "/oauth/api/changes", "fault": "gateway", "status": 410})
        self.follow()
        self.until_copied()
        self.until(lambda: ("InvalidGrant", "con_lost") in self.copies.troubles)
        self.until_idle()
        self.assertEqual(self.copies.resets, 3 + 2)
        self.assertNotIn("r-lost", self.copies.records[first])

    def test_two_processes_do_each_other_no_harm(self) -> None:
        self.copies.processes = 2
        followers = [self.follow(new_client(store=self.store, timeout_seconds=10, **self.partner)) for _ in range(2)]
        for place in range(3):
            self.load(self.shops[place], 5)
            self.delete(place)
        followers[0].stop()
        for shop in self.shops:
            self.load(shop)
        self.until_copied()

    def test_a_refresh_token_that_lapses_soon_is_used(self) -> None:
        follower = self.follow()
        self.until_copied()
        self.until_idle()
        follower.stop()
        faults()
        self.clock.advance(20 * 86_400)
        follower = self.follow()
        self.until(lambda: [call for call in calls() if call["path"] == "/oauth/api/token/batch" and call.get("status") == 200])
        self.assertEqual([call for call in calls() if call["path"].startswith("/api/")], [])
        follower.stop()

    def test_ends_when_it_is_stopped_or_trouble_raises(self) -> None:
        follower = self.follow()
        self.until_copied()
        begun = time.monotonic()
        follower.stop()
        self.assertLess(time.monotonic() - begun, 10)
        self.assertIsNone(follower.error)

        def trouble(error: Exception, id: Optional[str]) -> None:
            raise error

        def apply(batch: pc.SyncBatch, copy: pc.FollowedCopy) -> None:
            raise ValueError("no room at all")

        self.copies = Copies()
        follower = self.follow(apply=apply, trouble=trouble)
        follower.thread.join(30)
        self.assertIsInstance(follower.error, ValueError)
        self.copies.state = {"version": 9}  # type: ignore[typeddict-item]
        follower = self.follow(trouble=trouble)
        follower.thread.join(30)
        self.assertIsInstance(follower.error, pc.InvalidRequest)


if __name__ == "__main__":
    unittest.main()
