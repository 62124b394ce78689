"""JSON Schemas of dataclasses, in the part of JSON Schema that hosts check."""

import dataclasses
import types
import typing
from typing import Any, Literal, Union

_SIMPLE = {str: "string", int: "integer", float: "number", bool: "boolean"}


def described(description: str, default: Any = dataclasses.MISSING) -> Any:
    """Returns a field of a dataclass with a description, which clients read in the schema, and an optional default."""
    return dataclasses.field(default=default, metadata={"description": description})


def schema_of(kind: Any) -> dict[str, Any]:
    """Returns the schema of a type: a dataclass, `str`, `int`, `float`, `bool`, `list[…]`, `Literal[…]`, or one of
    these `| None`.

    Raises `TypeError` for any other type.
    """
    if kind in _SIMPLE:
        return {"type": _SIMPLE[kind]}
    if dataclasses.is_dataclass(kind):
        return _schema_of_dataclass(kind)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is list:
        return {"type": "array", "items": schema_of(arguments[0])}
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, types.UnionType) and type(None) in arguments and len(arguments) == 2:
        return {"anyOf": [{"type": "null"} if each is type(None) else schema_of(each) for each in arguments]}
    raise TypeError(
        f"there is no JSON Schema for {kind}: use str, int, float, bool, list, Literal, a dataclass, or one of them | None"
    )


def value_of(kind: Any, value: Any) -> Any:
    """Returns a JSON value as a value of a type that `schema_of` describes. It must fit the type's schema."""
    if kind is int:
        # To JSON Schema, 1.0 is an integer.
        return int(value)
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        return kind(**{name: value_of(hints[name], each) for name, each in value.items()})
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is list:
        return [value_of(arguments[0], each) for each in value]
    if origin in (Union, types.UnionType):
        if value is None:
            return None
        [only] = [each for each in arguments if each is not type(None)]
        return value_of(only, value)
    return value


def _schema_of_dataclass(kind: type) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    properties, required = {}, []
    for field in dataclasses.fields(kind):
        try:
            schema = schema_of(hints[field.name])
        except TypeError as error:
            raise TypeError(f"{kind.__name__}.{field.name}: {error}") from None
        if "description" in field.metadata:
            schema["description"] = field.metadata["description"]
        if field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            required.append(field.name)
        elif field.default is not dataclasses.MISSING:
            schema["default"] = field.default
        properties[field.name] = schema
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
