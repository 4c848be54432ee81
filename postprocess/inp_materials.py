"""Abaqus's materials as a scene has them, for scene_from_inp.

Formulas are those of the Abaqus Analysis User's Guide, "Hyperelastic behavior of rubberlike materials" and "Time domain viscoelasticity"; ours are in
docs/theory/balance.md, "Laws of rubber" and "Viscoelastic rubber".
"""

import dataclasses

from inp_keywords import InputFault

LOCKS = 0.48            # Poisson's ratio from which the pressure is averaged (docs/materials.md)
BULK_RATIO = 1000       # bulk over shear modulus where Abaqus has an incompressible solid: a Poisson's ratio of 0.4995
DENSITY = 1000.0        # kg/m^3, where the file has none
LIGHTEST, HEAVIEST = 0.1, 1e5   # kg/m^3: densities beyond these are those of wrong units
CHAINS = (3 / 5, 99 / 175, 513 / 875, 42039 / 67375)   # Arruda's and Boyce's law: the shear modulus at rest is mu (1 + 3/5 L^-2 + ...)


@dataclasses.dataclass
class Units:
    """The file's units in m, kg and s."""

    length: float = 1.0
    mass: float = 1.0
    time: float = 1.0

    @property
    def force(self):
        return self.mass * self.length / self.time**2

    @property
    def pressure(self):
        return self.force / self.length**2

    @property
    def density(self):
        return self.mass / self.length**3

    @property
    def acceleration(self):
        return self.length / self.time**2


SYSTEMS = {   # length, mass, time
    "m-kg-s": Units(),
    "mm-t-s": Units(1e-3, 1e3, 1.0),
    "mm-kg-ms": Units(1e-3, 1.0, 1e-3),
    "mm-g-ms": Units(1e-3, 1e-3, 1e-3),
    "mm-kg-s": Units(1e-3, 1.0, 1.0),
    "in-lbf-s": Units(0.0254, 0.45359237 * 9.80665 / 0.0254, 1.0),
}


class Notes:
    """What the scene's comments and stderr report."""

    def __init__(self):
        self.left = []     # (place, text): what was not translated
        self.choices = []  # (place, text): what was chosen, or is different in Traction

    def leave(self, keyword, why):
        self.left.append((keyword.place, f"*{keyword.name}: {why}"))

    def choose(self, place, text):
        if (place, text) not in self.choices:
            self.choices.append((place, text))


@dataclasses.dataclass
class Material:
    """A material in SI units, its stiffness that of slow loading."""

    name: str
    place: str
    law: dict              # keys of a solid's material, without density and pressure
    shear: float           # for small strains [Pa]
    bulk: float            # [Pa]
    density: float         # [kg/m^3]
    damping: tuple = (0.0, 0.0)   # Rayleigh's alpha [1/s] and beta [s]

    def poisson_ratio(self):
        return (3 * self.bulk - 2 * self.shear) / (2 * (3 * self.bulk + self.shear))

    def youngs_modulus(self):
        return 9 * self.bulk * self.shear / (3 * self.bulk + self.shear)

    def solid(self):
        settings = self.law | {"density": self.density}
        if self.poisson_ratio() >= LOCKS and self.law.get("material") != "linear_elastic":
            settings["pressure"] = "nodal_average"
        return settings

    def shell(self, thickness, bends):
        """As the material of a shell, which is neo-Hookean in plane stress; of a membrane, which does not bend, with numbers of its surface."""
        factor = 1 if bends else thickness
        settings = {"youngs_modulus": self.youngs_modulus() * factor, "poisson_ratio": self.poisson_ratio(), "density": self.density * factor, "thickness": thickness}
        return settings if bends else settings | {"bending_stiffness": 0}

    def rod(self, radius):
        return {"radius": radius, "youngs_modulus": self.youngs_modulus(), "poisson_ratio": self.poisson_ratio(), "density": self.density}


def constants(keyword, count, notes):
    """The first `count` constants of the data, eight to a line, 0 behind the last one; the first of several temperatures."""
    rows, values, used = list(keyword.rows()), [], 0
    for row in rows:
        values += row.numbers()
        used += 1
        if len(values) >= count or len(row.words) < 8:
            break
    if not values:
        raise InputFault(f"{keyword.place}: *{keyword.name} has no constants; add them")
    if len(rows) > used:
        notes.choose(rows[used].place, f"*{keyword.name} depends on temperature or on fields; the first constants are taken")
    return values[:count] + [0.0] * (count - len(values))


def whole_number(keyword, parameter, default):
    text = keyword.value(parameter, str(default))
    if not text.isdecimal() or not 1 <= int(text) <= 6:
        raise InputFault(f"{keyword.place}: {parameter}={text} of *{keyword.name} is no number from 1 to 6; correct it")
    return int(text)


def ogden(moduli, exponents):
    """Our mu_p: Abaqus has 2 mu_i / alpha_i^2 where we have mu_p / alpha_p."""
    return [2 * mu / alpha for mu, alpha in zip(moduli, exponents)]


def chains(modulus, stretch):
    """The shear modulus at rest of Arruda's and Boyce's law with Abaqus's constant mu and lambda_m."""
    return modulus * (1 + sum(c / stretch ** (2 * i) for i, c in enumerate(CHAINS, 1)))


def hyperelastic_law(keyword, notes):
    """(settings, keys with the unit of stress, shear modulus for small strains, compressibilities D_i) in the file's units."""
    for parameter in ("TESTDATAINPUT", "MARLOW", "VANDERWAALS", "USER"):
        if keyword.has(parameter):
            remedy = "fit a law to the test data by postprocess/fit_material" if parameter in ("TESTDATAINPUT", "MARLOW") else "fit one of Traction's laws to its curves"
            raise InputFault(f"{keyword.place}: *HYPERELASTIC with {parameter} is no law of Traction's; {remedy}, and write its constants into the file")
    if keyword.has("OGDEN"):
        terms = whole_number(keyword, "N", 1)
        values = constants(keyword, 3 * terms, notes)
        moduli, exponents, compressibilities = values[0 : 2 * terms : 2], values[1 : 2 * terms : 2], values[2 * terms :]
        if 0 in exponents:
            raise InputFault(f"{keyword.place}: an exponent of *HYPERELASTIC, OGDEN is 0; reduce N, or correct the constants")
        return {"material": "ogden", "shear_moduli": ogden(moduli, exponents), "exponents": exponents}, ("shear_moduli",), sum(moduli), compressibilities
    if keyword.has("ARRUDA-BOYCE"):
        modulus, stretch, compressibility = constants(keyword, 3, notes)
        if not stretch > 1:
            raise InputFault(f"{keyword.place}: the locking stretch of *HYPERELASTIC, ARRUDA-BOYCE is not above 1; correct it")
        shear = chains(modulus, stretch)
        return {"material": "arruda_boyce", "shear_modulus": shear, "locking_stretch": stretch}, ("shear_modulus",), shear, [compressibility]
    reduced = next((name for name in ("NEOHOOKE", "YEOH", "REDUCEDPOLYNOMIAL") if keyword.has(name)), None)
    if reduced:
        terms = {"NEOHOOKE": 1, "YEOH": 3}.get(reduced) or whole_number(keyword, "N", 1)
        values = constants(keyword, 2 * terms, notes)
        return *polynomial(keyword, values[:terms], 0), values[terms:]
    terms = 1 if keyword.has("MOONEY-RIVLIN") else whole_number(keyword, "N", 1)
    if terms > 2:
        raise InputFault(f"{keyword.place}: *HYPERELASTIC, POLYNOMIAL with N={terms} is no law of Traction's; fit yeoh or ogden to its curves by postprocess/fit_material")
    mixed = 2 if terms == 1 else 5   # C10, C01, or C10, C01, C20, C11, C02
    values = constants(keyword, mixed + terms, notes)
    c10, c01, c20, c11, c02 = (values[:mixed] + [0.0] * 3)[:5]
    if c11 or c02 or (c01 and c20):
        raise InputFault(f"{keyword.place}: *HYPERELASTIC, POLYNOMIAL with C20, C11 or C02 beside C01 is no law of Traction's; fit yeoh or ogden to its curves by postprocess/fit_material")
    return *polynomial(keyword, [c10, c20], c01), values[mixed:]


def polynomial(keyword, powers, c01):
    """mooney_rivlin, or yeoh where there are higher powers of the first invariant: (settings, keys of stresses, shear modulus)."""
    if any(powers[3:]):
        raise InputFault(f"{keyword.place}: *HYPERELASTIC, REDUCED POLYNOMIAL beyond the third power is no law of Traction's; fit yeoh or ogden to its curves by postprocess/fit_material")
    if any(powers[1:]):
        values = (powers + [0.0, 0.0])[:3]
        return {"material": "yeoh"} | dict(zip(("c10", "c20", "c30"), values)), ("c10", "c20", "c30"), 2 * values[0]
    return {"material": "mooney_rivlin", "c10": powers[0], "c01": c01}, ("c10", "c01"), 2 * (powers[0] + c01)


def prony_series(keyword, notes):
    """[(ratio to the instantaneous shear modulus, time)], in the file's units, and the sums of the ratios of shear and bulk modulus."""
    series, bulk_total = [], 0.0
    for row in keyword.rows():
        ratio, of_bulk, time = row.number(0, "a ratio", 0), row.number(1, "a ratio", 0), row.number(2, "a relaxation time")
        bulk_total += of_bulk
        if of_bulk:
            notes.choose(row.place, "the bulk modulus relaxes in Abaqus (k_i); in Traction it keeps its long-term value")
        if ratio:
            if ratio < 0 or time <= 0:
                raise InputFault(f"{row.place}: a ratio or relaxation time of *VISCOELASTIC is negative or 0; correct it")
            series.append((ratio, time))
    total = sum(ratio for ratio, _ in series)
    if total >= 1:
        raise InputFault(f"{keyword.place}: the ratios g_i of *VISCOELASTIC add up to {total:g}, so that nothing would be left in slow loading; they must be below 1")
    if not 0 <= bulk_total < 1:
        raise InputFault(f"{keyword.place}: the ratios k_i of *VISCOELASTIC add up to {bulk_total:g}; their sum must be at least 0 and below 1")
    return series, total, bulk_total


def scaled(value, factor):
    return [each * factor for each in value] if isinstance(value, list) else value * factor


class MaterialReader:
    """Collects the keywords of one material, and translates them."""

    def __init__(self, keyword):
        self.keyword = keyword
        self.options = []   # keywords behind *MATERIAL

    def take(self, name):
        found = [option for option in self.options if option.name == name]
        return found[-1] if found else None

    def material(self, units, linear, notes):
        """`linear`: whether the analysis is one of small displacements."""
        name = self.keyword.required("NAME")
        elastic, rubber, viscous = self.take("ELASTIC"), self.take("HYPERELASTIC"), self.take("VISCOELASTIC")
        if viscous and viscous.word("TIME") != "PRONY":
            notes.leave(viscous, "only TIME=PRONY is; the material does not relax")
            viscous = None
        if not (elastic or rubber):
            raise InputFault(f"{self.keyword.place}: the material '{name}' has neither *ELASTIC nor *HYPERELASTIC, and Traction has no other laws of solids; give it one of the two")
        if rubber and linear:
            notes.choose(rubber.place, f"no step has NLGEOM: Abaqus linearizes '{name}' for small displacements, Traction does not")
        series, total, bulk_total = prony_series(viscous, notes) if viscous else ([], 0.0, 0.0)
        law, shear, bulk = self.rubber(rubber, units, notes) if rubber else self.elastic(elastic, units, bool(series), linear, notes)
        if series:
            law["prony"] = [{"ratio": ratio / (1 - total), "time": time * units.time} for ratio, time in series]
            if (rubber or elastic).word("MODULI") == "INSTANTANEOUS":
                stresses = [key for key in ("shear_moduli", "shear_modulus", "c10", "c01", "c20", "c30") if key in law]
                law |= {key: scaled(law[key], 1 - total) for key in stresses}
                shear *= 1 - total
                if bulk is not None:
                    bulk = law["bulk_modulus"] = bulk * (1 - bulk_total)
        if not shear > 0:
            raise InputFault(f"{(rubber or elastic).place}: the material '{name}' has a shear modulus of {shear:g} Pa for small strains; check its constants and their signs")
        if rubber and bulk is None:
            bulk = law["bulk_modulus"] = BULK_RATIO * shear
            notes.choose(rubber.place, f"'{name}' is incompressible in Abaqus (D = 0); a bulk modulus of {BULK_RATIO} times its shear modulus, a Poisson's ratio of 0.4995, was chosen")
        result = Material(name, self.keyword.place, law, shear, bulk, self.density(units, notes), self.damping(units))
        if result.poisson_ratio() >= LOCKS and "pressure" in result.solid():
            notes.choose(self.keyword.place, f"'{name}' is nearly incompressible: its pressure is averaged over nodes, because tetrahedra lock otherwise, those of Abaqus (C3D4) too")
        for option in self.options:
            if option.name not in ("ELASTIC", "HYPERELASTIC", "VISCOELASTIC", "DENSITY", "DAMPING"):
                notes.leave(option, f"not part of the laws of Traction; '{name}' is without it")
        return result

    def elastic(self, keyword, units, relaxes, linear, notes):
        if keyword.word("TYPE", "ISOTROPIC") not in ("ISOTROPIC", "ISO"):
            raise InputFault(f"{keyword.place}: *ELASTIC of type {keyword.value('TYPE')} is no law of Traction's, whose solids are isotropic; give Young's modulus and Poisson's ratio")
        youngs, poisson = constants(keyword, 2, notes)
        if not (youngs > 0 and -1 < poisson <= 0.5):
            raise InputFault(f"{keyword.place}: Young's modulus must be above 0 and Poisson's ratio above -1, at most 0.5; correct them")
        if poisson > 0.4995:
            notes.choose(keyword.place, f"Poisson's ratio {poisson:g} became 0.4995: Traction's solids are slightly compressible")
            poisson = 0.4995
        youngs *= units.pressure
        shear, bulk = youngs / (2 * (1 + poisson)), youngs / (3 * (1 - 2 * poisson))
        if relaxes:
            return {"material": "mooney_rivlin", "c10": shear / 2, "c01": 0.0, "bulk_modulus": bulk}, shear, bulk
        if linear:
            notes.choose(keyword.place, "no step has NLGEOM, so *ELASTIC became linear_elastic, for small displacements alone; take neo_hookean where parts turn")
            return {"material": "linear_elastic", "youngs_modulus": youngs, "poisson_ratio": poisson}, shear, bulk
        notes.choose(keyword.place, "*ELASTIC became a neo-Hookean solid, which is the same for small strains; Abaqus's law, stress linear in logarithmic strain, differs in large ones")
        return {"material": "neo_hookean", "youngs_modulus": youngs, "poisson_ratio": poisson}, shear, bulk

    def rubber(self, keyword, units, notes):
        law, stresses, shear, compressibilities = hyperelastic_law(keyword, notes)
        law |= {key: scaled(law[key], units.pressure) for key in stresses}
        if any(compressibilities[1:]):
            notes.choose(keyword.place, "D2 and beyond are left out: the pressure of Traction's rubber has the one constant D1")
        bulk = None
        if compressibilities[0]:
            if compressibilities[0] < 0:
                raise InputFault(f"{keyword.place}: D1 is negative; correct it")
            bulk = law["bulk_modulus"] = 2 / compressibilities[0] * units.pressure
        return law, shear * units.pressure, bulk

    def density(self, units, notes):
        keyword = self.take("DENSITY")
        if not keyword:
            notes.choose(self.keyword.place, f"'{self.keyword.value('NAME')}' has no *DENSITY; {DENSITY:g} kg/m^3 was chosen, which matters to inertia and weight alone")
            return DENSITY
        density = keyword.row().number(0, "the density") * units.density
        if not density > 0:
            raise InputFault(f"{keyword.place}: the density is not above 0; correct it")
        if not LIGHTEST <= density <= HEAVIEST:
            notes.choose(keyword.place, f"in the units that were given or chosen the density is {density:.3g} kg/m^3, which no solid has; give the file's own units by --units")
        return density

    def damping(self, units):
        keyword = self.take("DAMPING")
        if not keyword:
            return 0.0, 0.0
        factors = []
        for parameter in ("ALPHA", "BETA"):
            try:
                factors.append(float(keyword.value(parameter, "0")))
            except ValueError:
                raise InputFault(f"{keyword.place}: {parameter} of *DAMPING is no number; correct it") from None
        return factors[0] / units.time, factors[1] * units.time
