import contextlib
import io
import os
import re
import unittest
from typing import Any, Dict
from unittest import mock

from tests.world import BASE_URL, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, SHOP, WorldTest, approve, operator, response

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Readme(WorldTest):
    def test_its_programs_run_as_they_are_shown(self) -> None:
        with open(os.path.join(PACKAGE, "README.md"), encoding="utf-8") as file:
            blocks = re.findall(r"^```python\n(.*?)^```$", file.read(), re.DOTALL | re.MULTILINE)
        self.assertEqual(len(blocks), 5)
        operator("response", "import", "--shop", SHOP["id"], "-", records=[response(), response()])
        variables = {"URL": BASE_URL, "CLIENT_ID": CLIENT_ID, "CLIENT_SECRET": CLIENT_SECRET}
        names: Dict[str, Any] = {"REDIRECT_URI": REDIRECT_URI, "WEBHOOK_SECRET": "whsec_eA=="}
        printed = io.StringIO()
        with mock.patch.dict(os.environ, {f"PARTNER_CONNECT_{name}": value for name, value in variables.items()}):
            for block in blocks:
                with contextlib.redirect_stdout(printed):
                    exec(compile(block, "README.md", "exec"), names)
                if "url" in names and "callback_url" not in names:
                    names["callback_url"] = approve(names["url"])
        self.assertIn(SHOP["name"], printed.getvalue())
        self.assertIn("Podcast", printed.getvalue())
        self.assertEqual(names["webhook"](b"{}", {})[0], 400)


if __name__ == "__main__":
    unittest.main()
