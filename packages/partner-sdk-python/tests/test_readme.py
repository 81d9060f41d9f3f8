import contextlib
import io
import os
import re
import sqlite3
import tempfile
import threading
import time
import unittest
from typing import Any, Dict
from unittest import mock

from tests.world import API_KEY, BASE_URL, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, SHOP, WorldTest, approve, operator, response

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Readme(WorldTest):
    def test_its_programs_run_as_they_stand_there(self) -> None:
        with open(os.path.join(PACKAGE, "README.md"), encoding="utf-8") as file:
            blocks = re.findall(r"^```python\n(.*?)^```$", file.read(), re.DOTALL | re.MULTILINE)
        self.assertEqual(len(blocks), 10)
        operator("response", "import", "--shop", SHOP["id"], "-", records=[response(), response()])
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        variables = {"URL": BASE_URL, "CLIENT_ID": CLIENT_ID, "CLIENT_SECRET": CLIENT_SECRET, "API_KEY": API_KEY}
        names: Dict[str, Any] = {"REDIRECT_URI": REDIRECT_URI, "WEBHOOK_SECRET": "whsec_eA==", "state": None, "stop": threading.Event()}
        names["database"] = sqlite3.connect("mirror.db")
        following = threading.Thread(target=self.stop_when_copied, args=(names,))
        following.start()
        self.addCleanup(following.join)
        self.addCleanup(names["database"].close)
        said = io.StringIO()
        with mock.patch.dict(os.environ, {f"PARTNER_CONNECT_{name}": value for name, value in variables.items()}):
            for block in blocks:
                with contextlib.redirect_stdout(said):
                    exec(compile(block, "README.md", "exec"), names)
                if "url" in names and "callback_url" not in names:
                    names["callback_url"] = approve(names["url"])
        names["store"].close()
        self.assertIn(SHOP["name"], said.getvalue())
        self.assertIn("Podcast", said.getvalue())
        self.assertIn(f"{names['connection'].id} is connected", said.getvalue())
        self.assertEqual(names["webhook"](b"{}", {})[0], 400)

    def stop_when_copied(self, names: Dict[str, Any]) -> None:
        end = time.monotonic() + 60
        while not names.get("copies") and time.monotonic() < end:
            time.sleep(0.1)
        names["stop"].set()


class Examples(unittest.TestCase):
    def test_a_mirror_of_all_shops_takes_at_most_60_lines(self) -> None:
        with open(os.path.join(PACKAGE, "examples/mirror.py"), encoding="utf-8") as file:
            self.assertLessEqual(len(file.readlines()), 60)


if __name__ == "__main__":
    unittest.main()
