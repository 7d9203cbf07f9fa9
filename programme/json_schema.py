"""The JSON schema of a model's answer, in the strict form that providers enforce (pure)."""

from typing import Any

from pydantic import BaseModel

# Limits that some providers refuse in strict mode. They are kept where possible, because an
# unbounded string field makes small models write endless addresses.
LIMITS = ("minLength", "maxLength", "minItems", "maxItems", "pattern", "minimum", "maximum")
DROPPED = ("default", "title")


def strict_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Every property required, no others allowed, no defaults; limits kept."""
    return _strict(model.model_json_schema())


def without_limits(schema: dict[str, Any]) -> dict[str, Any]:
    """The same schema without lengths, patterns and ranges."""
    return {
        key: _below(value, without_limits) for key, value in schema.items() if key not in LIMITS
    }


def _strict(schema: dict[str, Any]) -> dict[str, Any]:
    result = {key: _below(value, _strict) for key, value in schema.items() if key not in DROPPED}
    if "properties" in schema:
        # Read from the source: a property may itself be called "title".
        result["properties"] = {
            name: _strict(value) for name, value in schema["properties"].items()
        }
        result["required"] = list(schema["properties"])
        result["additionalProperties"] = False
    return result


def _below(value: Any, rewrite: Any) -> Any:
    if isinstance(value, dict):
        return rewrite(value)
    if isinstance(value, list):
        return [_below(item, rewrite) for item in value]
    return value
