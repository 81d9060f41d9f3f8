import unittest
from typing import Any, List

import partner_connect as pc
from tests.world import FAULTY_URL, WorldTest, calls, connect, faults, new_client, new_partner, new_shops, operator


class Server(WorldTest):
    """What the server tells a client over all its connections: three shops, and a client of their own."""

    def setUp(self) -> None:
        super().setUp()
        self.partner = new_partner()
        self.store = pc.MemoryStore()
        self.client = new_client(base_url=FAULTY_URL, store=self.store, **self.partner)
        self.shops = new_shops(3)
        self.ids = [connect(self.client, shop).id for shop in self.shops]
        faults()

    def statuses(self, **options: Any) -> List[Any]:
        found = {one["id"]: one["status"] for one in self.client.list_connections(**options)}
        return [found.get(id) for id in self.ids]

    def test_lists_the_connections_that_it_has_also_those_that_a_store_has_lost(self) -> None:
        self.client.forget(self.ids[0])
        operator("connection", "revoke", self.ids[1], "--yes")
        self.assertEqual(self.statuses(), ["connected", "revoked", "connected"])
        self.assertEqual(self.statuses(status="revoked"), [None, "revoked", None])
        listed = list(self.client.list_connections(limit=1))
        self.assertEqual([one["id"] for one in listed], sorted(self.ids))
        self.assertEqual({one["shop"]["name"] for one in listed}, {shop["name"] for shop in self.shops})
        after = self.client.list_connections(starting_after=sorted(self.ids)[1])
        self.assertEqual([one["id"] for one in after], sorted(self.ids)[2:])

    def test_refusals_are_told_apart(self) -> None:
        with self.assertRaises(pc.InvalidRequest) as unknown:
            list(self.client.list_connections(starting_after="con_none"))
        self.assertEqual(unknown.exception.param, "starting_after")
        with self.assertRaises(pc.InvalidRequest) as edited:
            self.client.changes("a cursor of somebody")
        self.assertEqual(edited.exception.param, "after")
        with self.assertRaisesRegex(pc.InvalidClient, "client_secret by HTTP Basic"):
            list(new_client(**{**self.partner, "client_secret": "wrong"}).list_connections())
        faults({"path": "/oauth/api/changes", "fault": "gateway", "status": 410})
        with self.assertRaises(pc.CursorExpired):
            self.client.changes()

    def test_tells_what_is_new_since_a_cursor(self) -> None:
        page = self.client.changes()
        while page["has_more"] or len({change["connection_id"] for change in page["data"]}) < 3:
            page = self.client.changes(wait=5)
        self.assertEqual({change["connection_id"] for change in page["data"]}, set(self.ids))
        first = self.client.changes(limit=1)
        self.assertEqual((len(first["data"]), first["has_more"]), (1, True))
        # Whatever of it comes late is told once.
        cursor = page["cursor"]
        while (page := self.client.changes(cursor, wait=1))["data"]:
            cursor = page["cursor"]
        operator("connection", "revoke", self.ids[0], "--yes")
        told = self.client.changes(cursor, wait=20)["data"]
        self.assertEqual([(one["connection_id"], one["kind"], one["status"]) for one in told], [(self.ids[0], "connection", "revoked")])

    def test_disconnect_ends_the_connection_on_both_sides(self) -> None:
        other = new_client(store=self.store, **self.partner)
        other.shop(self.ids[0]).connection()
        faults({"path": "/oauth/api/revoke", "fault": "drop-answer"}, {"path": "/oauth/api/revoke", "fault": "gateway", "status": 502})
        self.client.disconnect(self.ids[0])
        self.assertEqual([call.get("status") for call in calls() if call["path"] == "/oauth/api/revoke"], [200, None, 200])
        self.assertEqual(self.statuses(), ["revoked", "connected", "connected"])
        self.assertIsNone(self.store.get(self.ids[0]))
        with self.assertRaises(pc.PartnerConnectError):
            other.shop(self.ids[0]).connection()
        with self.assertRaises(pc.UnknownConnection):
            self.client.disconnect(self.ids[0])

    def test_disconnect_is_repeated_where_the_store_fails(self) -> None:
        class Full(pc.MemoryStore):
            is_full = True

            def delete(self, id: str) -> None:
                if self.is_full:
                    raise OSError("disk full")
                super().delete(id)

        store = Full()
        client = new_client(store=store, **self.partner)
        id = connect(client, self.shops[0]).id
        with self.assertRaises(pc.StoreFailed):
            client.disconnect(id)
        self.assertIsNotNone(store.get(id))
        store.is_full = False
        client.disconnect(id)
        self.assertIsNone(store.get(id))


if __name__ == "__main__":
    unittest.main()
