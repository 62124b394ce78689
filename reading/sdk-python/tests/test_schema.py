import unittest
from dataclasses import dataclass
from typing import Literal

from fanlight_plugin.schema import described, schema_of, value_of


@dataclass
class Inner:
    width: float


@dataclass
class Outer:
    word: str = described("The word.", "EXIT")
    kind: Literal["a", "b"] = "a"
    inner: list[Inner] | None = None


class Schemas(unittest.TestCase):
    def test_fields_without_a_default_are_required(self):
        schema = schema_of(Inner)
        self.assertEqual(schema["required"], ["width"])
        self.assertEqual(schema["properties"], {"width": {"type": "number"}})

    def test_descriptions_and_defaults_are_kept(self):
        word = schema_of(Outer)["properties"]["word"]
        self.assertEqual(word, {"type": "string", "description": "The word.", "default": "EXIT"})

    def test_lists_choices_and_none_are_described(self):
        properties = schema_of(Outer)["properties"]
        self.assertEqual(properties["kind"]["enum"], ["a", "b"])
        inner = {"type": "array", "items": schema_of(Inner)}
        self.assertEqual(properties["inner"]["anyOf"], [inner, {"type": "null"}])

    def test_a_type_without_a_schema_is_refused(self):
        with self.assertRaises(TypeError):
            schema_of(dict)
        with self.assertRaises(TypeError):
            schema_of(int | str)

    def test_a_field_without_a_schema_is_named(self):
        @dataclass
        class Wrong:
            counts: dict[str, int]

        with self.assertRaisesRegex(TypeError, "Wrong.counts: there is no JSON Schema"):
            schema_of(Wrong)

    def test_json_becomes_a_value_of_the_type(self):
        value = {"word": "STAIR", "kind": "b", "inner": [{"width": 2.5}]}
        self.assertEqual(value_of(Outer, value), Outer("STAIR", "b", [Inner(2.5)]))
        self.assertEqual(value_of(Outer, {"inner": None}), Outer())

    def test_an_integer_may_be_written_with_a_fraction_of_zero(self):
        self.assertIs(type(value_of(int, 2.0)), int)
        self.assertEqual(value_of(list[int], [1e3, 4]), [1000, 4])
