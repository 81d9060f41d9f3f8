import json
import os
import typing
import unittest
from typing import Any, Dict, Union

import partner_connect as pc

PACKAGE = os.path.join(os.path.dirname(__file__), "../package.json")
DOCUMENT = os.path.join(os.path.dirname(__file__), "../../public-api/openapi.json")
TYPES = {"string": str, "integer": int, "boolean": bool, "null": type(None)}


class Records(unittest.TestCase):
    def test_the_version_is_the_one_of_the_whole(self) -> None:
        with open(PACKAGE) as file:
            self.assertEqual(pc.__version__, json.load(file)["version"])

    def test_have_the_fields_and_types_of_the_api_description(self) -> None:
        with open(DOCUMENT) as file:
            schemas = json.load(file)["components"]["schemas"]
        for record in (pc.Response, pc.DeletedResponse, pc.ResponseCount, pc.Question, pc.Source, pc.Connection):
            properties: Dict[str, Any] = schemas[record.__name__]["properties"]
            hints = typing.get_type_hints(record)
            self.assertEqual(list(hints), list(properties), record.__name__)
            for name, schema in properties.items():
                kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
                if kinds not in (["object"], ["array"]):
                    wanted: Any = Union[tuple(TYPES[kind] for kind in kinds)]
                    self.assertEqual(hints[name], wanted, f"{record.__name__}.{name}")
        options = schemas["Question"]["properties"]["responses"]["items"]["properties"]
        self.assertEqual(list(typing.get_type_hints(pc.QuestionOption)), list(options))
        shop = schemas["Connection"]["properties"]["shop"]["properties"]
        self.assertEqual(list(typing.get_type_hints(pc.Shop)), list(shop))


if __name__ == "__main__":
    unittest.main()
