"""Contact, friction and ties of an Abaqus .inp file, for scene_from_inp."""

from inp_keywords import InputFault, capitals
from inp_steps import named

THICKNESS = 1e-3   # thickness of contact, relative to the model's largest extent
CREEP = 1e-4       # part of the model's extent by which what sticks may creep in a static analysis


class ContactReader:
    """Takes the keywords of contact one by one, and makes entries of the scene at the end."""

    def __init__(self, translation):
        self.translation, self.notes = translation, translation.notes
        self.frictions, self.pairs, self.everything, self.interaction = {}, [], None, None
        self.default, self.attached, self.changes = None, [], False
        self.entries = {}

    def take(self, keyword):
        """Whether the keyword is one of contact."""
        changes, self.changes = self.changes, keyword.name == "CHANGEFRICTION"
        if keyword.name == "FRICTION" and changes:
            self.notes.leave(keyword, "friction that changes in a step is not translated; the interaction keeps what it has before")
        elif keyword.name == "SURFACEINTERACTION":
            self.interaction = capitals(keyword.required("NAME"))
            self.frictions.setdefault(self.interaction, None)
        elif keyword.name == "FRICTION":
            self.frictions[self.interaction] = self.friction(keyword)
        elif keyword.name == "SURFACEBEHAVIOR":
            if keyword.word("PRESSURE-OVERCLOSURE", "HARD") != "HARD" or keyword.has("NOSEPARATION"):
                self.notes.leave(keyword, "only hard contact that can separate is; the contact is the penalty of Traction")
        elif keyword.name == "CONTACTPAIR":
            self.pairs += [(keyword, row) for row in keyword.rows()]
        elif keyword.name == "CONTACT":
            self.everything = self.everything or keyword
        elif keyword.name == "CONTACTINCLUSIONS":
            if not keyword.has("ALLEXTERIOR"):
                self.pairs += [(keyword, row) for row in keyword.rows()]
                self.everything = None
        elif keyword.name == "CONTACTPROPERTYASSIGNMENT":
            self.assign(keyword)
        elif keyword.name == "TIE":
            self.attached += [(keyword, row) for row in keyword.rows()]
        else:
            return False
        return True

    def friction(self, keyword):
        """The friction of an interaction as a scene has it; nothing if it is frictionless."""
        if keyword.has("ROUGH") or keyword.has("USER") or keyword.has("ANISOTROPIC"):
            self.notes.leave(keyword, "only coefficients of friction are; the contact is frictionless")
            return None
        rows = list(keyword.rows())
        if not rows:
            return None
        if keyword.has("EXPONENTIALDECAY"):
            static, dynamic, decay = (rows[0].number(i, "a constant of friction", 0) for i in range(3))
            if decay <= 0 or static < dynamic:
                raise InputFault(f"{rows[0].place}: exponential decay needs a static coefficient that is not below the kinetic one, and a decay coefficient above 0; correct them")
            units = self.translation.units
            return {"dynamic": dynamic, "static": static, "decay_velocity": units.length / units.time / decay} if static > dynamic else {"dynamic": dynamic}
        coefficient = rows[0].number(0, "the coefficient of friction", 0)
        if coefficient < 0:
            raise InputFault(f"{rows[0].place}: the coefficient of friction is negative; correct it")
        if len(rows) > 1 or len(rows[0].words) > 1 and keyword.has("DEPENDENCIES"):
            self.notes.choose(rows[0].place, f"the friction depends on slip rate, pressure or temperature; the first coefficient, {coefficient:g}, is taken")
        if keyword.value("TAUMAX"):
            self.notes.choose(keyword.place, "TAUMAX, the largest shear stress of friction, is left out")
        return {"dynamic": coefficient} if coefficient else None

    def assign(self, keyword):
        for row in keyword.rows():
            if row.text(0) or row.text(1):
                self.notes.left.append((row.place, f"a contact property of '{row.text(0)}' and '{row.text(1)}' alone is not translated; name the pair under `contacts`"))
            else:
                self.default = (row.place, capitals(row.text(2)))

    def settings(self, place, interaction):
        translation = self.translation
        if interaction and interaction not in self.frictions:
            raise InputFault(f"{place}: there is no *SURFACE INTERACTION named '{interaction}'; correct the name")
        extent = translation.model.extent() * translation.units.length
        if translation.thickness is None:
            translation.thickness = float(f"{THICKNESS * extent:.2g}")
            self.notes.choose(place, f"contact got a thickness of {translation.thickness:g} m, {THICKNESS:g} of the model's extent; set it by --thickness")
        self.notes.choose(place, "Traction refuses surfaces that touch or cross each other at the start: leave a gap, best the thickness (`initial: {translate: ...}`)")
        friction = self.frictions.get(interaction)
        if friction and all(step.kind == "static" for step in translation.histories.steps):
            friction = friction | {"tolerance": float(f"{CREEP * extent / translation.histories.now:.2g}")}
            if "stribeck_velocity" in friction:
                friction["stribeck_velocity"] = max(friction["stribeck_velocity"], 10 * friction["tolerance"])
        return {"thickness": translation.thickness} | ({"friction": friction} if friction else {})

    def finish(self):
        """Makes the entries, when all interactions are known."""
        used, contacts, attachments = set(), {}, {}
        for keyword, row in self.pairs:
            interaction = row.text(2) if keyword.name == "CONTACTINCLUSIONS" else keyword.value("INTERACTION", "")
            first, second = self.side(row, 0), self.side(row, 1) if row.text(1) else self.side(row, 0)
            for a in first:
                for b in second:
                    contacts[named(used, f"{row.text(0)}_{row.text(1) or row.text(0)}")] = {"vertices": str(a), "against": str(b)} | self.settings(row.place, capitals(interaction))
        if self.everything:
            place, interaction = self.default or (self.everything.place, "")
            contacts[named(used, "general")] = {"all": True} | self.settings(place, interaction)
        elif self.default and self.pairs:
            self.notes.choose(self.default[0], "*CONTACT INCLUSIONS names pairs, to which this property does not pass")
        for keyword, row in self.attached:
            self.tie(keyword, row, used, attachments)
        self.entries = {key: entry for key, entry in (("contacts", contacts), ("attachments", attachments)) if entry}

    def side(self, row, word):
        return self.translation.regions(["SURFACE"], row, "make it a *SURFACE", word)

    def tie(self, keyword, row, used, attachments):
        for a in self.side(row, 0):
            for b in self.side(row, 1):
                if a.body is b.body:
                    self.notes.left.append((row.place, "*TIE joins two surfaces of one body, which is not translated: give each part an instance of its own"))
                    continue
                entry = {"vertices": str(a), "to": str(b)}
                if keyword.value("POSITIONTOLERANCE"):
                    try:
                        entry["largest_gap"] = float(keyword.value("POSITIONTOLERANCE")) * self.translation.units.length
                    except ValueError:
                        raise InputFault(f"{keyword.place}: POSITION TOLERANCE of *TIE is no number; correct it") from None
                attachments[named(used, keyword.value("NAME") or f"tie_{row.text(0)}")] = entry
