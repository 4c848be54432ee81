#!/usr/bin/python3
"""The reference of a scene's settings, in Markdown, from the schema that the program prints: traction schema | docs/scene_reference.py > docs/scene-reference.md"""

import json
import pathlib
import sys

import yaml

SCHEMA = json.load(sys.stdin)
LARGEST_INTEGER = 2**31 - 1
EXAMPLES = pathlib.Path(__file__).resolve().with_name("scene-examples.yaml")
LONGEST = 80   # characters of an example
LIMITS = (("minimum", "≥"), ("exclusiveMinimum", ">"), ("maximum", "≤"), ("exclusiveMaximum", "<"))


def target(node):
    """(name, definition) that a node refers to."""
    name = node["$ref"].removeprefix("#/$defs/")
    return name, SCHEMA["$defs"][name]


def collect(node, path, name, sections):
    """Adds the maps with settings of their own in a value at `path`: name -> (node, paths)."""
    if "$ref" in node:
        name, node = target(node)
    if "properties" in node:
        known = name in sections
        paths = sections.setdefault(name, (node, []))[1]
        if path not in paths:
            paths.append(path)
        if known:
            return
        for key, child in node["properties"].items():
            collect(child, f"{path}.{key}".lstrip("."), key, sections)
    for part, suffix in (("else", ""), ("then", ""), ("items", "[]")):
        if part in node:
            collect(node[part], path + suffix, name, sections)
    if isinstance(node.get("additionalProperties"), dict):
        collect(node["additionalProperties"], path + (".REGION" if "minLength" in node["propertyNames"] else ".NAME"), name, sections)


def value(node):
    """The kind of value and its limits, in words."""
    if "$ref" in node:
        name, definition = target(node)
        return f"[{name}](#{name})" if "properties" in definition else "text" if name == "name" else definition["description"]
    if "if" in node:
        return value(node["else"]) + (", or a list" if node["if"] == {"type": "array"} else " or " + value(node["then"]))
    if "enum" in node:
        return "a word"
    limits = ", ".join(f"{sign} {node[key]}" for key, sign in LIMITS if node.get(key) not in (None, LARGEST_INTEGER))
    kind = node["type"]
    if kind == "object":
        return ("by region: " if "minLength" in node["propertyNames"] else "by name: ") + value(node["additionalProperties"])
    if kind == "array":
        return "list of " + value(node["items"])
    if isinstance(kind, list):
        return "number or text"
    return " ".join(filter(None, ({"boolean": "true or false", "string": "path", "integer": "whole number", "number": "number"}[kind], limits)))


def meaning(node):
    text = node.get("description") or target(node)[1]["description"]
    return text.removesuffix(f" Default: {node.get('defaultDescription')}.").replace(f" [{node.get('unit')}].", ".")


def flow(node, room):
    """A YAML node on one line, as it was written; what does not fit into some characters becomes "..."."""
    if isinstance(node, yaml.ScalarNode):
        return f"{node.style or ''}{node.value}{node.style or ''}"
    opening, closing = "{}" if isinstance(node, yaml.MappingNode) else "[]"
    parts = []
    for item in node.value:
        key = f"{item[0].value}: " if isinstance(item, tuple) else ""
        part = key + flow(item[1] if isinstance(item, tuple) else item, room - len(key))
        room -= len(part) + 2
        if room < 0 and parts:
            parts.append("...")
            break
        parts.append(part)
    return opening + ", ".join(parts) + closing


def add_examples(node, written, found):
    """Adds the first example of each key in a part of a scene, a YAML node: (number of the map's definition, key) -> text."""
    if "$ref" in node:
        node = target(node)[1]
    kinds = {"array": yaml.SequenceNode, "object": yaml.MappingNode}
    while "if" in node and list(node["if"]) == ["type"]:
        node = node["then" if isinstance(written, kinds[node["if"]["type"]]) else "else"]
        if "$ref" in node:
            node = target(node)[1]
    if isinstance(written, yaml.MappingNode):
        for key, value in written.value:
            child = node.get("properties", {}).get(key.value)
            if child is not None:
                found.setdefault((id(node), key.value), f"{key.value}: {flow(value, LONGEST)}")
            else:
                child = node.get("additionalProperties")
            if isinstance(child, dict):
                add_examples(child, value, found)
    elif isinstance(written, yaml.SequenceNode) and "items" in node:
        for item in written.value:
            add_examples(node["items"], item, found)


def main():
    print("# The settings of a scene\n\nMade by `docs/scene_reference.py` from the declarations in the sources; do not edit. Numbers are in SI units unless another unit is given.\n"
          "In paths, `NAME` is a name of your choice, `REGION` a region of the mesh, and `[]` an item of a list.\n"
          "Examples are from [scene-examples.yaml](scene-examples.yaml), whole scenes with every setting.")
    examples = {}
    for scene in EXAMPLES.read_text().split("---\n"):
        add_examples(SCHEMA, yaml.compose(scene, yaml.SafeLoader), examples)
    sections, described = {}, []
    collect(SCHEMA, "", "scene", sections)
    for name, (section, paths) in sections.items():
        places = ", ".join(f"`{path}`" for path in paths if path)
        print(f"\n## {name}\n\n{places}{': ' if places else ''}{section['description']}\n\n| key | value | unit | default | meaning | example |\n|---|---|---|---|---|---|")
        choices = {}
        for key, node in section["properties"].items():
            standing = "required" if key in section.get("required", ()) else f"`{json.dumps(node['default'])}`" if "default" in node else node.get("defaultDescription", "")
            print(f"| `{key}` | {value(node)} | {node.get('unit', '')} | {standing} | {meaning(node)} | `{examples[id(section), key]}` |")
            if "enum" in node and node["enum"] not in described:
                described.append(node["enum"])
                choices[key] = zip(node["enum"], node["enumDescriptions"])
        for key, words in choices.items():
            print(f"\n`{key}` is one of\n" + "\n".join(f"- `{word}`: {sentence}" for word, sentence in words))


if __name__ == "__main__":
    main()
