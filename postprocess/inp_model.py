"""Bodies, sets and surfaces of an Abaqus .inp file, and the names of their regions in Traction (docs/scenes.md, "Meshes of Abaqus"), for scene_from_inp."""

import dataclasses
import re

from inp_keywords import MESH, InputFault, capitals

# Elements that Traction reads, by dimension (src/mesh/formats/inp_model.cpp).
TEN_NODES = {"C3D10", "C3D10M", "C3D10H", "C3D10HS", "C3D10I", "C3D10MH"}
DIMENSIONS = {name: 3 for name in ("C3D4", "C3D4H", *TEN_NODES)}
DIMENSIONS |= {name: 2 for name in ("S3", "S3R", "S3RS", "STRI3", "M3D3", "SFM3D3", "R3D3", "DS3", "CPS3", "CPE3", "CPE3H", "STRI65", "S6", "M3D6", "SFM3D6", "CPS6", "CPE6")}
DIMENSIONS |= {name: 1 for name in ("T3D2", "T3D2H", "B31", "B31H", "B31OS", "B31OSH", "RB3D2", "T3D3", "T3D3H", "B32", "B32H")}
MOST_LABELS = 10**8   # in a range
SUFFIXES = ("_point", "_curve", "_surface", "")
MAKERS = {"NGEN", "NFILL", "NCOPY", "NMAP", "ELGEN", "ELCOPY", "SYSTEM", "IMPORT"}   # Traction refuses them, with their line


def identifier(text):
    """A name that a scene's body, contact or load may have."""
    name = re.sub(r"\W", "_", text, flags=re.ASCII)
    return name if name[:1].isalpha() else f"_{name}"


def is_label(word):
    return word[:1].isdigit()


def generated(row):
    """The labels of a line FIRST, LAST, STEP."""
    first, last, step = (int(row.number(i, "a number of a range", 1 if i == 2 else None)) for i in range(3))
    if not 0 < first <= last or step < 1 or last - first > MOST_LABELS * step:
        raise InputFault(f"{row.place}: a range is FIRST, LAST, STEP, of positive numbers, where LAST is not below FIRST; correct it")
    return range(first, last + 1, step)


class Scope:
    """Nodes, elements and sets whose labels belong together: an instance, or what is outside of all."""

    def __init__(self, name=""):
        self.name = name          # the instance's name as the file has it; empty outside of instances
        self.keywords = []        # all of MESH and MAKERS
        self.sections = []
        self.sets = {"NSET": {}, "ELSET": {}, "SURFACE": {}}   # by names in capitals: [name as the file has it first, keywords]
        self.head = None          # *INSTANCE
        self.own_from = 0         # where the keywords of an instance begin behind those of its part
        self.dimension_of = None

    def add(self, keyword):
        self.keywords.append(keyword)
        kinds = {"NODE": ["NSET"], "ELEMENT": ["ELSET"], "NSET": ["NSET"], "ELSET": ["ELSET"], "SURFACE": ["SURFACE"]}.get(keyword.name, [])
        for kind in kinds:
            name = keyword.value("NAME" if kind == "SURFACE" else kind)
            if name:
                self.sets[kind].setdefault(capitals(name), [name, []])[1].append(keyword)

    def dimensions(self):
        """The dimensions of all its elements."""
        return {DIMENSIONS.get(keyword.word("TYPE"), 0) for keyword in self.keywords if keyword.name == "ELEMENT"}

    def dimensions_of(self, labels):
        """The dimensions of elements; they are looked up only where the scope has several."""
        if len(self.dimensions()) == 1:
            return self.dimensions()
        if self.dimension_of is None:
            self.dimension_of = {}
            for keyword in self.keywords:
                if keyword.name == "ELEMENT":
                    self.dimension_of |= dict.fromkeys((row.text(0) for row in keyword.rows()), DIMENSIONS.get(keyword.word("TYPE"), 0))
        return {self.dimension_of[label] for label in labels if label in self.dimension_of}

    def has_ten_nodes(self):
        """Whether its tetrahedra are of second order."""
        return any(keyword.name == "ELEMENT" and keyword.word("TYPE") in TEN_NODES for keyword in self.keywords)

    def is_rigid(self):
        return all(keyword.word("TYPE") in ("R3D3", "RB3D2") for keyword in self.keywords if keyword.name == "ELEMENT")


@dataclasses.dataclass
class Region:
    """A region of a body as a scene names it."""

    body: "Body"
    name: str

    def __str__(self):
        return f"{self.body.name}.{self.name}"


@dataclasses.dataclass
class Body:
    """A body of the scene: an instance, or all of the file."""

    name: str
    mesh: str             # the file's name
    scopes: list          # what its mesh consists of, the one outside of instances last
    split: bool           # whether it is one of several bodies of the file
    piece: object = None  # its nodes and elements, if it is one of several in a file without instances


class Model:
    """The mesh's keywords in their scopes; `rest` are all others outside of sections, in the file's order."""

    def __init__(self, keywords):
        self.outside, self.parts, self.instances, self.rest = Scope(), {}, [], []
        inside = None
        for keyword in keywords:
            if keyword.name == "PART":
                inside = self.parts[capitals(keyword.required("NAME"))] = Scope(keyword.value("NAME"))
            elif keyword.name == "INSTANCE":
                part = self.parts.get(capitals(keyword.required("PART")))
                if part is None:
                    raise InputFault(f"{keyword.place}: there is no part '{keyword.value('PART')}' above this line; correct the name")
                inside = Scope(keyword.required("NAME"))
                inside.head = keyword
                for each in part.keywords:
                    inside.add(each)
                inside.own_from = len(inside.keywords)
                inside.sections += part.sections
                self.instances.append(inside)
            elif keyword.name in ("ENDPART", "ENDINSTANCE"):
                inside = None
            elif keyword.name in MESH | MAKERS:
                (inside or self.outside).add(keyword)
            elif keyword.name.endswith("SECTION"):
                (inside or self.outside).sections.append(keyword)
            else:
                self.rest.append(keyword)
        if not any(scope.dimensions() for scope in [*self.instances, self.outside]):
            raise InputFault(f"{keywords[-1].place if keywords else 'the file'}: there are no elements; give a file with a mesh")

    def bodies(self, path, stem):
        """The bodies of the scene. With several instances each has a mesh of its own, STEM-INSTANCE.inp beside the scene."""
        used = [scope for scope in self.instances if scope.dimensions()]
        pieces = [] if used else pieces_of(self.outside, self)
        if len(pieces) > 1:
            return [Body(piece.name, f"{stem}-{piece.name}.inp", [self.outside], True, piece) for piece in pieces]
        if not used or (len(used) == 1 and not self.outside.dimensions()):
            name = used[0].name if used else stem
            return [Body(identifier(name), path, [*used, self.outside], False)]
        if self.outside.dimensions():
            raise InputFault("elements outside of the instances cannot be a body of their own; put them into a part with an instance")
        names = [identifier(scope.name) for scope in used]
        return [Body(name if names.count(name) == 1 else f"{name}_{i}", f"{stem}-{name}.inp", [scope, self.outside], True) for i, (name, scope) in enumerate(zip(names, used))]

    def scope(self, name):
        found = [scope for scope in self.instances if capitals(scope.name) == capitals(name)]
        return found[0] if found else None

    def find(self, kinds, word, near=None):
        """Finds the set that a word names, first in the scope `near`, then in the assembly: (scope, kind, name in capitals), or nothing."""
        for scope in filter(None, (near, self.outside)):
            for kind in kinds:
                if capitals(word) in scope.sets[kind]:
                    return scope, kind, capitals(word)
        instance, _, name = word.partition(".")
        scope = self.scope(instance)
        for kind in kinds if scope else ():
            if capitals(name) in scope.sets[kind]:
                return scope, kind, capitals(name)
        return None

    def members(self, scope, kind, name, seen=()):
        """[(scope of the labels, "node" or "element", labels as texts)] of a set or surface; ranges of GENERATE are ranges."""
        if (scope, kind, name) in seen:
            return []
        found, seen = [], (*seen, (scope, kind, name))
        for keyword in scope.sets[kind][name][1]:
            owner = self.scope(keyword.value("INSTANCE")) if keyword.value("INSTANCE") else scope
            if owner is None:
                raise InputFault(f"{keyword.place}: there is no instance '{keyword.value('INSTANCE')}'; correct the name")
            of_nodes = kind == "NSET" or (kind == "SURFACE" and keyword.word("TYPE") == "NODE")
            noun, kinds = ("node", ["NSET"]) if of_nodes else ("element", ["ELSET"])
            if keyword.name in ("NODE", "ELEMENT"):
                found.append((owner, noun, [row.text(0) for row in keyword.rows()] if of_nodes else keyword))
                continue
            if keyword.name == "NSET" and keyword.value("ELSET"):
                inner = self.find(["ELSET"], keyword.value("ELSET"), owner)
                found += self.members(*inner, seen) if inner else []
            listed = []
            for row in keyword.rows():
                if keyword.has("GENERATE"):
                    found.append((owner, noun, generated(row)))
                    continue
                words = row.words[:1] if kind == "SURFACE" else list(filter(None, row.words))
                for word in words:
                    instance, _, label = word.partition(".")
                    if is_label(word):
                        listed.append(word)
                    elif is_label(label) and self.scope(instance):
                        found.append((self.scope(instance), noun, [label]))
                    elif inner := self.find(kinds, word, owner):
                        found += self.members(*inner, seen)
            if listed:
                found.append((owner, noun, listed))
        return found

    def members_in(self, body, scope, kind, name):
        """The members of a set or surface that a body has."""
        members = self.members(scope, kind, name)
        if body.piece is not None:
            return [member for member in (body.piece.restricted(member) for member in members) if member[2]]
        return [member for member in members if not body.split or member[0] is body.scopes[0]]

    def count(self, scope, kind, name):
        """How many nodes a set of nodes lists; nothing if it is made of elements."""
        members = self.members(scope, kind, name)
        if any(noun == "element" for _, noun, _ in members):
            return None
        return len({(id(owner), str(label)) for owner, _, labels in members for label in labels})

    def dimensions(self, body, scope, kind, name):
        """The dimensions of the regions that a set or surface becomes in a body."""
        if kind == "NSET":
            return {0}
        if kind == "SURFACE":
            return {0 if scope.sets[kind][name][1][0].word("TYPE") == "NODE" else 2}
        found = set()
        for owner, _, labels in self.members_in(body, scope, kind, name):
            if isinstance(labels, (list, range)):
                found |= owner.dimensions_of([str(label) for label in labels])
            else:
                found.add(DIMENSIONS.get(labels.word("TYPE"), 0))
        return found

    def regions(self, bodies, scope, kind, name, every_dimension=False):
        """The regions that a set or surface is, one in each body that it touches: that of its elements of the highest dimension, or of every one."""
        found = []
        for body in bodies:
            if body.split and not self.members_in(body, scope, kind, name):
                continue
            own = self.dimensions(body, scope, kind, name)
            all_dimensions = set(own)
            spelling = None
            for other in ("ELSET", "SURFACE", "NSET"):   # the order in which src/mesh/formats/read_inp.cpp names regions
                if name in scope.sets[other] and (not body.split or self.members_in(body, scope, other, name)):
                    all_dimensions |= self.dimensions(body, scope, other, name)
                    spelling = spelling or scope.sets[other][name][0]
            if scope is self.outside and any(capitals(each.name) == name for each in body.scopes):
                all_dimensions |= body.scopes[0].dimensions()
            prefix = f"{scope.name}." if scope.name else ""
            for dimension in sorted(own, reverse=True)[: None if every_dimension else 1]:
                found.append(Region(body, prefix + spelling + ("" if dimension == max(all_dimensions) else SUFFIXES[dimension])))
        return found

    def extent(self):
        """The largest extent of a part along an axis, in the file's unit."""
        largest = 0.0
        for scope in [*self.instances, self.outside]:
            low, high = [float("inf")] * 3, [-float("inf")] * 3
            for keyword in scope.keywords:
                for row in keyword.rows() if keyword.name == "NODE" and scope.dimensions() else ():
                    for axis in range(3):
                        value = row.number(1 + axis, "a coordinate", 0)
                        low[axis], high[axis] = min(low[axis], value), max(high[axis], value)
            largest = max([largest, *(b - a for a, b in zip(low, high) if b > a)])
        return largest

    def split_text(self, body):
        """The mesh of one of several bodies as a file of its own."""
        return piece_text(self, body) if body.piece is not None else self.instance_text(body)

    def instance_text(self, body):
        """Text of a file with one instance: its part, the instance, and those sets and surfaces of the assembly that lie in it."""
        scope = body.scopes[0]
        name = scope.head.value("PART")
        lines = [f"** the instance {scope.name}, made by scene_from_inp", f"*PART, NAME={quoted(name)}"]
        lines += [line for keyword in self.parts[capitals(name)].keywords for line in keyword.written()]
        lines += ["*END PART", "*ASSEMBLY, NAME=Assembly", *scope.head.written()]
        lines += [line for keyword in scope.keywords[scope.own_from :] for line in keyword.written()] + ["*END INSTANCE"]
        for keyword in self.outside.keywords:
            if keyword.name in ("NSET", "ELSET", "SURFACE"):
                lines += self.of_instance(keyword, body)
        return "\n".join([*lines, "*END ASSEMBLY", ""])

    def of_instance(self, keyword, body):
        """The lines of a set or surface of the assembly that are of an instance."""
        scope = body.scopes[0]
        if keyword.value("INSTANCE"):
            return keyword.written() if capitals(keyword.value("INSTANCE")) == capitals(scope.name) else []

        def belongs(word):
            instance, _, label = word.partition(".")
            if is_label(label) and self.scope(instance):
                return self.scope(instance) is scope
            return not is_label(word) and self.names_part_of(body, keyword, word)

        kept = []
        for row in keyword.rows():
            words = row.words if keyword.name == "SURFACE" and belongs(row.words[0]) else [] if keyword.name == "SURFACE" else [word for word in row.words if word and belongs(word)]
            kept += [", ".join(map(quoted, words))] if words else []
        return [*keyword.written()[: keyword.own], *kept] if kept else []

    def names_part_of(self, body, keyword, word):
        """Whether a word of a set or surface names a set that the body has members of."""
        found = self.find(["NSET"] if keyword.name == "NSET" or keyword.word("TYPE") == "NODE" else ["ELSET"], word)
        return found is not None and bool(self.members_in(body, *found))


def quoted(word):
    return f'"{word}"' if "," in word else word


class Piece:
    """One of several bodies of a file without instances: labels of its nodes and elements, as texts."""

    def __init__(self, name, nodes, elements):
        self.name, self.nodes, self.elements = name, nodes, elements

    def restricted(self, member):
        """A member of a set (see Model.members) with only those labels that the piece has."""
        owner, noun, labels = member
        known = self.nodes if noun == "node" else self.elements
        if isinstance(labels, range):
            return owner, noun, sorted((label for label in known if label.isdecimal() and int(label) in labels), key=int)
        if not isinstance(labels, (list, range)):
            labels = [label for label, _, _ in elements_of(labels)]
        return owner, noun, [str(label) for label in labels if str(label) in known]


def elements_of(keyword):
    """(label, nodes, line) of each element of a *ELEMENT, whose nodes may continue in a second line."""
    count, words = DIMENSIONS.get(keyword.word("TYPE"), 0) + 1, []
    for row in keyword.rows():
        words += row.words
        if len(words) > count:
            yield words[0], words[1 : count + 1], ", ".join(words)
            words = []


def pieces_of(scope, model):
    """The bodies of a file without instances: the elements of its sections, together where they share nodes."""
    sets = [capitals(section.value("ELSET", "")) for section in scope.sections]
    sets = list(dict.fromkeys(name for name in sets if name in scope.sets["ELSET"]))
    if len(sets) < 2:
        return []
    nodes_of = {label: nodes for keyword in scope.keywords if keyword.name == "ELEMENT" for label, nodes, _ in elements_of(keyword)}
    groups = []   # names of sets, nodes
    for name in sets:
        labels = {label for member in model.members(scope, "ELSET", name) for label in Piece("", set(), nodes_of).restricted(member)[2]}
        nodes, names = {node for label in labels for node in nodes_of[label]}, [name]
        for other in [group for group in groups if not group[1].isdisjoint(nodes)]:
            groups.remove(other)
            names, nodes = other[0] + names, nodes | other[1]
        groups.append((names, nodes))
    return [Piece(identifier(scope.sets["ELSET"][names[0]][0]), nodes, {label for label, own in nodes_of.items() if nodes.issuperset(own)}) for names, nodes in groups]


def piece_text(model, body):
    """The mesh of a piece: its nodes and elements, and its members of sets and surfaces."""
    piece, lines = body.piece, [f"** {body.name}, made by scene_from_inp"]
    for keyword in model.outside.keywords:
        kept = []
        if keyword.name == "NODE":
            kept = [line for line, _ in keyword.lines[keyword.own :] if line.partition(",")[0].strip() in piece.nodes]
        elif keyword.name == "ELEMENT":
            kept = [line for label, _, line in elements_of(keyword) if label in piece.elements]
        elif keyword.name == "SURFACE":
            known = piece.nodes if keyword.word("TYPE") == "NODE" else piece.elements
            kept = [", ".join(map(quoted, row.words)) for row in keyword.rows() if (row.text(0) in known if is_label(row.text(0)) else model.names_part_of(body, keyword, row.text(0)))]
        elif keyword.name in ("NSET", "ELSET"):
            name = keyword.value(keyword.name)
            if keyword is next(each for each in model.outside.sets[keyword.name][capitals(name)][1] if each.name == keyword.name):
                labels = list(dict.fromkeys(labels_of(model.members_in(body, model.outside, keyword.name, capitals(name)), keyword)))
                kept = [", ".join(labels[i : i + 16]) for i in range(0, len(labels), 16)]
            if kept:
                lines += [f"*{keyword.name}, {keyword.name}={quoted(name)}", *kept]
            continue
        elif keyword.name in MAKERS:   # Traction refuses them, with the file's line
            raise InputFault(f"{keyword.place}: *{keyword.name} changes the mesh, and is not supported; write the nodes and elements that it makes")
        if kept:
            lines += [*keyword.written()[: keyword.own], *kept]
    return "\n".join([*lines, ""])


def labels_of(members, keyword):
    """The labels of the members of a set; where elements are members of a set of nodes, their nodes."""
    for owner, noun, labels in members:
        if keyword.name == "NSET" and noun == "element":
            wanted = set(labels)
            for each in owner.keywords:
                if each.name == "ELEMENT":
                    yield from (node for label, nodes, _ in elements_of(each) if label in wanted for node in nodes)
        else:
            yield from labels
