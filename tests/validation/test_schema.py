"""The schema that the program prints and its reader of scenes agree: they have the same keys, choices and defaults, and both refuse the same types and sizes of values.
docs/scene.schema.json is what the program prints, and docs/scene-reference.md is made from it.

The scenes of docs/scene-examples.yaml have every key. Each test changes them in one place and asks both.
"""

import collections
import copy
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

import jsonschema
import yaml

from traction_runs import JOBS, RunTest

ROOT = JOBS.parent


PRINTED = subprocess.run([pathlib.Path(os.environ["TRACTION_BUILD"]) / "traction", "schema"], capture_output=True, text=True, check=True).stdout
SCHEMA = json.loads(PRINTED)

MATERIAL = "{youngs_modulus: 1e6, poisson_ratio: 0.4, density: 900}"
SCENES = (ROOT / "docs" / "scene-examples.yaml").read_text().split("---\n")

# What the reader checks between settings, and a schema cannot express. All else that it refuses the schema must refuse as well.
RELATIONS = ["there is no (body|surface) ", "must come after", "must be later than the time before", "must not be below 'dynamic'", "must be above 'tolerance'", "must be above 'lower'",
             "the first piece must begin at 0", "takes more than 1e12 steps", "already fixed or driven", "is listed twice", "times the compressibility must be below 1", "is for a body's contact with itself",
             r"exclusion_ring: is missing", "is for contact with a body", "names the same body twice", "needs two bodies", "does not estimate the error of its steps", "names no region after the dot",
             "has the name of a region that is fixed or driven", "has neither stiffness nor damping", "names the same region as 'from'", "which only a ball joint can hold", "has the name of a contact", "has the name of a body", "has the name by which joints refer to the ground", "the motor jumps", "begins with the ground", "names one body twice",
             "belongs to the smooth surface", "belongs to edges and faces", "cannot be used with 'all'", "needs an obstacle with edges and faces", "must be edges_and_faces where all", "without inertia there is nothing to integrate", "needs frames of fields", "fills what volume", "cannot keep without inertia", "leaves no range between", "stops the spin of the rigid body",
             "surface that is no plane", "body that is not rigid", "is missing; give the thickness of the plane", "is for the layer on a plane", "has the name of an entry under '", "names two planes",
             "names two sides without a pressure field", "names the same sides? ", "names the sides of the contact", "needs two sides", "finds no body with a pressure field", "that pressure would count twice", "must be positive in every direction",
             "has no effect with integrator: asynchronous", "is one number with integrator: asynchronous", "asynchronous integrates whole runs", "must be a positive number of seconds", "needs a sheet that bends",
             "give it: (this law|as a shell this law) takes", "is no constant of", "is for laws without a Young", "another way of giving poisson_ratio", "numbers, and shear_moduli", "has a zero; remove that term",
             "is for laws of rubber", "give the axis about which it turns", "list them in increasing order, each once", "for each pressure in turn, one for each speed", "is for laws with an energy of the change of volume", "have a shear modulus of",
             "so that nothing moves", "rotation that has no speed", "nothing to act on without 'static'", "combines the friction of its sides", "cannot be combined with the friction that", "or give both sides a 'friction'", "lies within a surface, but a region", "along which nothing slides", "names the sides of the contact",
             "its square times weft_modulus must be below", "and must be below 'to'", "cannot be used with 'prony'", "has neither m nor beta", "reinforce neo_hookean", "is for directions about an axis", "is for directions along the surface",
             "has no direction; give", "is half a turn or more from where"]
ABSENT = object()
VALUES = [None, True, "text", "", -1, 0, 0.25, 1, 1.5, 3, 1e10, [], [1, 2], [1, 2, 3], [0, 0, 0], [1, 2, "z"], {}, {"key": 1}, [{}], ABSENT]
FEW_VALUES = [None, "text", -1, 0, 1.5, [1, 2, 3], {}, ABSENT]   # at the third and further places of a setting, where only its relations to others may differ


class SceneLoader(yaml.SafeLoader):
    """YAML 1.2, as the program and editors read it: 1e-4 is a number, and of words true, false and null alone are not text."""


SceneLoader.yaml_implicit_resolvers = {}
for tag, pattern, first in (("bool", "true|false", "tf"), ("null", "null|~|", "n~"), ("int", "[-+]?[0-9]+", "-+0123456789"),
                            ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789")):
    SceneLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"(?:{pattern})$"), [*first, *([""] if tag == "null" else [])])


def load(text):
    return yaml.load(text, SceneLoader)


def resolved(node):
    while "$ref" in node:
        name = node["$ref"].removeprefix("#/$defs/")
        node = SCHEMA["$defs"][name]
    return node


def children(node, value):
    """(key, its schema, whether it is one of the schema's own keys) for the parts of a value."""
    if isinstance(value, dict):
        for key in value:
            own = node.get("properties", {})
            if key in own:
                yield key, own[key], True
            elif isinstance(node.get("additionalProperties"), dict):
                yield key, node["additionalProperties"], False
    elif isinstance(value, list) and "items" in node:
        for i in range(len(value)):
            yield i, node["items"], False


def walk(node, value, path=()):
    """(path, its schema) for a value and all its parts."""
    node = resolved(node)
    kinds = {"array": list, "object": dict}
    while "if" in node and list(node["if"]) == ["type"]:   # one, or a list of them; a map, or what is short for it
        node = resolved(node["then" if isinstance(value, kinds[node["if"]["type"]]) else "else"])
    yield path, node
    for key, child, _ in children(node, value):
        yield from walk(child, value[key], (*path, key))


def maps(node):
    """Every part of the schema that names its keys."""
    if isinstance(node, dict):
        if isinstance(node.get("properties"), dict) and node.get("additionalProperties") is False:
            yield node
        for child in node.values():
            yield from maps(child)
    elif isinstance(node, list):
        for child in node:
            yield from maps(child)


def at(scene, path):
    for key in path:
        scene = scene[key]
    return scene


def changed(scene, path, value):
    """A scene with another value at the path. It shares with the first all that does not lie around the path."""
    if not path:
        return value
    scene = copy.copy(scene)
    if value is ABSENT and len(path) == 1:
        del scene[path[0]]
    else:
        scene[path[0]] = changed(scene[path[0]], path[1:], value)
    return scene


def containers(value):
    """The maps and lists in a value, with itself."""
    if isinstance(value, (dict, list)):
        yield value
        for part in value.values() if isinstance(value, dict) else value:
            yield from containers(part)


def remembering_validator(scenes):
    """A validator of SCHEMA that looks once at each part of the scenes, which must not change: what changed() makes of them shares most parts, and each scene takes
    a tenth of the time."""
    parts = {id(part) for scene in scenes for part in containers(scene)}
    good = set()   # (keyword, part, schema) without errors

    def remembering(keyword, check):
        def checked(validator, argument, instance, schema):
            key = (keyword, id(instance), id(schema))
            if id(instance) not in parts:
                yield from check(validator, argument, instance, schema)
            elif key not in good:
                errors = list(check(validator, argument, instance, schema))
                if not errors:
                    good.add(key)
                yield from errors
        return checked

    keywords = ("$ref", "additionalProperties", "allOf", "if", "items", "properties")
    plain = jsonschema.Draft7Validator
    return jsonschema.validators.extend(plain, {keyword: remembering(keyword, plain.VALIDATORS[keyword]) for keyword in keywords})(SCHEMA)


def dotted(path):
    return ".".join(map(str, path)) or "the scene"


class Schema(RunTest):
    def setUp(self):
        super().setUp()
        jsonschema.Draft7Validator.check_schema(SCHEMA)
        self.scenes = [load(text) for text in SCENES]
        self.validator = remembering_validator(self.scenes)

    def complaint(self, scene):
        """The schema's, or nothing."""
        error = jsonschema.exceptions.best_match(self.validator.iter_errors(scene))
        return error and f"{'.'.join(map(str, error.absolute_path))}: {error.message}"

    def read(self, scenes):
        """(code, message) of the reader for each. JSON is a part of YAML."""
        paths = [self.write(f"{i}.yaml", scene if isinstance(scene, str) else json.dumps(scene)) for i, scene in enumerate(scenes)]
        program = pathlib.Path(os.environ["TRACTION_BUILD"]) / "tests" / "check_inputs"
        done = subprocess.run([program, "--scene-only"], input="".join(f"{path}\n" for path in paths), capture_output=True, text=True, check=True)
        lines = [line.split("\t") for line in done.stdout.splitlines()]
        self.assertEqual([line[1] for line in lines], [str(path) for path in paths])
        self.assertLessEqual({line[0] for line in lines}, {"0", "2"})
        return [(int(code), message) for code, _, message in lines]

    def test_pages(self):
        page = subprocess.run([sys.executable, ROOT / "docs" / "scene_reference.py"], input=PRINTED, capture_output=True, text=True, check=True).stdout
        for name, text in (("scene.schema.json", PRINTED), ("scene-reference.md", page)):
            self.assertEqual((ROOT / "docs" / name).read_text(), text, f"docs/{name} is not made from this program: see docs/contributing/settings.md")

    def test_the_reference_has_a_sentence_and_an_example_for_every_key(self):
        sections = re.split(r"^## ", (ROOT / "docs" / "scene-reference.md").read_text(), flags=re.MULTILINE)[1:]
        rows = [(section.split("\n", 1)[0], row.strip("|").split(" | ")) for section in sections for row in re.findall(r"^\| `.*\|$", section, re.MULTILINE)]
        self.assertEqual(len(rows), sum(len(node["properties"]) for node in {id(node): node for node in maps(SCHEMA)}.values()))
        for section, cells in rows:
            with self.subTest(section=section, key=cells[0]):
                key, sentence, example = cells[0].strip(" `"), cells[4].strip(), cells[5].strip()
                self.assertRegex(sentence, r"\w.*\.$")
                self.assertTrue(example.startswith(f"`{key}: ") and example.endswith("`"), example)
                if "..." not in example:
                    self.assertEqual(list(load("{" + example.strip("`") + "}")), [key])

    def test_the_scenes_are_good(self):
        for scene, (code, message) in zip(self.scenes, self.read(SCENES)):
            self.assertEqual((code, self.complaint(scene)), (0, None), message)

    def test_scenes_of_the_project(self):
        printed = []
        for page in ("README.md", "docs/scenes.md"):
            blocks = re.findall(r"^```yaml\n(.*?)^```", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE)
            whole = [(page, text) for text in blocks if text.startswith("time:")]
            self.assertTrue(whole, page)
            printed += whole
        jobs = [(str(path), path.read_text()) for path in sorted(JOBS.glob("*/scene.yaml"))]
        for name, text in [*jobs, *printed]:
            self.assertIsNone(self.complaint(load(text)), name)
        for (name, _), (code, message) in zip(jobs, self.read([text for _, text in jobs]), strict=True):
            self.assertEqual(code, 0, f"{name}: {message}")
            self.assertIsNone(self.complaint(json.loads(message)), f"{name} with every default")

    def test_the_scenes_have_every_key_of_the_schema(self):
        used = {}
        for scene in self.scenes:
            for path, node in walk(SCHEMA, scene):
                used.setdefault(id(node), set()).update(key for key, _, own in children(node, at(scene, path)) if own)
        for node in maps(SCHEMA):
            for key in node["properties"].keys() - used.get(id(node), set()):
                self.fail(f"no scene of docs/scene-examples.yaml has the key '{key}' ({node['properties'][key].get('description', '')}), which the schema has beside "
                          f"{', '.join(list(node['properties'])[:4])}: use it in one of them")

    def places(self):
        """(scene, path, schema) of every value."""
        for scene in self.scenes:
            for path, node in walk(SCHEMA, scene):
                yield scene, path, node

    def test_keys(self):
        places = [(scene, path, node) for scene, path, node in self.places() if "properties" in node]
        answers = self.read([changed(scene, path, {**at(scene, path), "no_such_key": 1}) for scene, path, _ in places])
        for (_, path, node), (_, message) in zip(places, answers):
            found = re.search(r"unknown key 'no_such_key'; (?:.*\(valid here: |choose one of: )([^()]*)", message)
            self.assertTrue(found, f"{dotted(path)}: {message}")
            of_reader = set(found[1].strip().split(", "))
            for key in of_reader - node["properties"].keys():
                self.fail(f"the program reads the key '{key}' in {dotted(path)}, its schema does not know it")
            for key in node["properties"].keys() - of_reader:
                self.fail(f"the schema has the key '{key}' in {dotted(path)}, the program does not read it")

    def test_choices(self):
        places = [(scene, path, node) for scene, path, node in self.places() if "enum" in node]
        answers = self.read([changed(scene, path, "no_such_value") for scene, path, _ in places])
        for (_, path, node), (_, message) in zip(places, answers):
            found = re.search(r"unknown value 'no_such_value'; (?:.*\(one of: |choose one of: )([^()]*)", message)
            self.assertTrue(found, f"{dotted(path)}: {message}")
            self.assertEqual(set(node["enum"]), set(found[1].strip().split(", ")), f"the schema's enum for {dotted(path)}, and the program's choices")

    def test_types_and_limits(self):
        seen, tried = collections.Counter(), []
        for scene, path, node in self.places():
            seen[id(node)] += 1
            values = VALUES if seen[id(node)] <= 2 else FEW_VALUES
            tried += [(path, value, changed(scene, path, value)) for value in values if path or value is not ABSENT]
        refused = 0
        for (path, value, scene), (code, message) in zip(tried, self.read([scene for _, _, scene in tried])):
            what = "without it" if value is ABSENT else f"with {json.dumps(value)}"
            if not self.validator.is_valid(scene):
                refused += 1
                if code != 2:
                    self.fail(f"{dotted(path)} {what}: the schema refuses what the program reads: {self.complaint(scene)}")
            elif code == 2 and not any(re.search(relation, message) for relation in RELATIONS):
                self.fail(f"{dotted(path)} {what}: the schema takes what the program refuses: {message}")
        self.assertGreater(refused, len(tried) / 2)

    def test_defaults(self):
        """The settings that a scene omits and the program prints."""
        plain = f"""
            time: {{step: 1e-3, end: 1}}
            bodies: {{a: {{mesh: a.msh, solid: {{core: {MATERIAL}}}, shell: {{skin: {MATERIAL.replace('}', ', bending_stiffness: 0}')}}}, initial: {{positions: a.vtu, rotate: {{}}}}, volume: {{surface: s}},
                          driven: [{{vertices: v, motion: [{{velocity: [1, 0, 0]}}, {{angular_velocity: [0, 0, 1]}}]}}]}}, b: {{mesh: b.msh, solid: {{core: {MATERIAL}}}}}, r: {{mesh: r.msh, rigid: {{density: 1}}}}, q: {{mesh: q.msh, rigid: {{density: 1}}}}}}
            surfaces: {{p: {{plane: {{}}}}, s: {{sphere: {{radius: 1}}}}, c: {{cylinder: {{radius: 1}}}}, x: {{box: {{lower: [0, 0, 0], upper: [1, 1, 1]}}}}, m: {{mesh: {{file: m.stl}}}}}}
            joints: {{h: {{kind: hinge, between: a, at: [0, 0, 0], axis: [0, 0, 1], motor: {{speed: 1}}, spring: {{stiffness: 1}}}}}}
            contacts: {{f: {{vertices: a, against: p, thickness: 1, friction: {{dynamic: 1}}}}, g: {{vertices: a, against: b, thickness: 1, surface: {{}}}}}}
            pressure_fields: {{r: {{modulus: 1}}, q: {{modulus: 1, shape: sphere, radius: 1}}}}
            pressure_contacts: {{k: {{between: [r, p], friction: {{dynamic: 1}}}}, l: {{all: true}}}}
            """
        (code, message), = self.read([plain])
        self.assertEqual(code, 0, message)
        given, full = load(plain), json.loads(message)
        compared = 0
        for path, node in walk(SCHEMA, full):
            for key, child, own in children(node, at(full, path)):
                try:
                    at(given, (*path, key))
                except (KeyError, IndexError):
                    default = child.get("default", resolved(child).get("default", ABSENT))
                    if own and default is not ABSENT:
                        compared += 1
                        self.assertEqual(at(full, (*path, key)), default, f"the default of {dotted((*path, key))} in the schema, and the program's")
        of_schema = sum("default" in child for node in maps(SCHEMA) for child in node["properties"].values())
        self.assertGreaterEqual(compared, of_schema - 6, "defaults of the schema that no setting of this test shows")


if __name__ == "__main__":
    unittest.main()
