import contextlib
import io
import os
import re
import sqlite3
import tempfile
import unittest
from typing import Any, Dict
from unittest import mock

from tests.world import API_KEY, BASE_URL, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, SHOP, WorldTest, approve, operator, response

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Readme(WorldTest):
    def test_its_programs_run_as_they_stand_there(self) -> None:
        with open(os.path.join(PACKAGE, "README.md"), encoding="utf-8") as file:
            blocks = re.findall(r"^```python\n(.*?)^```$", file.read(), re.DOTALL | re.MULTILINE)
        self.assertEqual(len(blocks), 6)
        operator("response", "import", "--shop", SHOP["id"], "-", records=[response(), response()])
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        variables = {"URL": BASE_URL, "CLIENT_ID": CLIENT_ID, "CLIENT_SECRET": CLIENT_SECRET, "API_KEY": API_KEY}
        names: Dict[str, Any] = {"REDIRECT_URI": REDIRECT_URI, "state": None, "database": sqlite3.connect("mirror.db")}
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


class Examples(unittest.TestCase):
    def test_a_mirror_takes_at_most_40_lines(self) -> None:
        with open(os.path.join(PACKAGE, "examples/mirror.py"), encoding="utf-8") as file:
            self.assertLessEqual(len(file.readlines()), 40)


if __name__ == "__main__":
    unittest.main()
