"""`traction material` and postprocess/fit_material: curves against closed forms, and fits that find the constants again."""

import csv
import math
import pathlib
import re
import subprocess
import unittest

import yaml

from closed_forms import expect_closed_form
from traction_runs import ENVIRONMENT, RefusalTest, RunTest, box_text, execute

ROOT = pathlib.Path(__file__).resolve().parents[2]
MATERIALS = {
    "soft": "{youngs_modulus: 1e6, poisson_ratio: 0.3, density: 1000}",
    "mooney": "{material: mooney_rivlin, c10: 3e5, c01: 8e4, bulk_modulus: 2e9, density: 1000, prony: [{ratio: 0.3, time: 1e-3}]}",
    "yeoh": "{material: yeoh, c10: 2.5e5, c20: -3e3, c30: 90, bulk_modulus: 2e9, density: 1000}",
    "chains": "{material: arruda_boyce, shear_modulus: 4e5, locking_stretch: 4, bulk_modulus: 2e9, density: 1000}",
    "ogden": "{material: ogden, shear_moduli: [6.2e5, 1.2e3, -9.8e3], exponents: [1.3, 5, -2], bulk_modulus: 2e9, density: 1000}",
}
LAWS = {"mooney": "mooney_rivlin", "yeoh": "yeoh", "chains": "arruda_boyce", "ogden": "ogden"}


def scene_text():
    bodies = "".join(f"  {name}: {{mesh: block.msh, solid: {{solid: {material}}}}}\n" for name, material in MATERIALS.items())
    return f"time: {{step: 1e-3, end: 1}}\nbodies:\n{bodies}"


LOADINGS = {"uniaxial": (1, -0.5), "equibiaxial": (1, -2), "planar": (1, -1)}   # stretches along x and along the free side are x to these powers


def rubber_stress(law, loading, x):
    """Force per area at rest of incompressible rubber (Treloar, The physics of rubber elasticity, chapters 5 and 11), by the constants of MATERIALS."""
    free = LOADINGS[loading][1]
    if law == "ogden":
        return sum(mu * (x ** (alpha - 1) - x ** (alpha * free - 1)) for mu, alpha in zip((6.2e5, 1.2e3, -9.8e3), (1.3, 5, -2)))
    side = {"uniaxial": x**-0.5, "equibiaxial": x, "planar": 1}[loading]   # the third stretch
    first = x**2 + side**2 + x ** (2 * free)
    slope, second = {
        "mooney": lambda: (3e5, 8e4),
        "yeoh": lambda: (2.5e5 - 2 * 3e3 * (first - 3) + 3 * 90 * (first - 3) ** 2, 0),
        "chains": lambda: (4e5 / 2 * chain_slope(first, 4) / chain_slope(3, 4), 0),
    }[law]()
    return 2 * (x - x ** (2 * free - 1)) * (slope + second * side**2)


def chain_slope(first, limit):
    """The derivative of Arruda's and Boyce's energy by the first invariant (1993, Eq. 23), but for a factor."""
    return sum(c * n * (first / limit**2) ** (n - 1) for n, c in enumerate((1 / 2, 1 / 20, 11 / 1050, 19 / 7000, 519 / 673750), 1))


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [{key: value if key in ("material", "loading") else float(value) for key, value in row.items()} for row in csv.DictReader(file)]


class MaterialCurves(RunTest):
    def curves(self, *words):
        self.write("block.msh", box_text((1, 1, 1), (1, 1, 1)))
        code, output, errors = execute(["traction", "material", self.write("scene.yaml", scene_text()), "--out", self.folder / "curves", *words], 1, 120, self.folder)
        self.assertEqual(code, 0, errors)
        return rows_of(self.folder / "curves" / "materials.csv")

    def test_closed_forms(self):
        rows = self.curves()
        self.assertTrue((self.folder / "curves" / "materials.png").is_file())
        # One branch of 0.3 and 1 ms: at omega tau = 1 the storage modulus is 1.15 times, the loss modulus 0.15 times that of slow loading.
        relaxation = [row for row in rows_of(self.folder / "curves" / "relaxation.csv") if row["material"] == "mooney.solid"]
        at = min(relaxation, key=lambda row: abs(math.log(row["time"] / 1e-3)))
        for name, expected in (("relaxation_modulus", 1 + 0.3 / math.e), ("storage_modulus", 1.15), ("loss_modulus", 0.15)):
            self.assertAlmostEqual(at[name] / 7.6e5, expected, delta=1e-9)
        self.assertEqual({row["loading"] for row in rows}, {"uniaxial", "equibiaxial", "planar", "shear"})
        for row in rows:
            x = row["stretch"]
            if row["material"] == "mooney.solid":
                if row["loading"] == "shear":
                    expected = 2 * x * 3.8e5
                else:
                    free = {"uniaxial": 1 / x, "equibiaxial": x**2, "planar": 1}[row["loading"]]
                    across = {"uniaxial": x**-2, "equibiaxial": x**-5, "planar": x**-3}[row["loading"]]
                    expected = 2 * (x - across) * (3e5 + 8e4 * free)
                self.assertAlmostEqual(row["stress"], expected, delta=(2e-3 + abs(expected) / 1e9) * abs(expected) + 1)
                self.assertAlmostEqual(row["volume_ratio"], 1, delta=1e-2)
            if row["material"] == "soft.solid" and row["loading"] == "uniaxial" and x != 1:
                # (B6) with free sides: P = mu (s - 1/s) + lambda ln J / s, mu (l^2 - 1) + lambda ln J = 0 with J = s l^2.
                mu, lam = 1e6 / 2.6, 1e6 * 0.3 / (1.3 * 0.4)
                log_J = math.log(row["volume_ratio"])
                self.assertAlmostEqual(mu * (row["volume_ratio"] / x - 1) + lam * log_J, 0, delta=1e-3)
                self.assertAlmostEqual(row["stress"], mu * (x - 1 / x) + lam * log_J / x, delta=1e-3)

    def test_laws_of_rubber(self):
        """Each law at the stretch of the curve next to 2, or 1.5 of two sides: with its modulus of compression the volume changes by less than a thousandth."""
        rows = self.curves("--stretch", "1", "2.5")
        sources = {"mooney": "Mooney and Rivlin: 2 (λ − λ_3²/λ) (c10 + c01 λ_2²)", "yeoh": "Yeoh: 2 (λ − λ_3²/λ) W'(I1)",
                   "chains": "Arruda and Boyce: 2 (λ − λ_3²/λ) W'(I1), five terms", "ogden": "Ogden: Σ µ (λ^(α−1) − λ_3^α/λ)"}
        for name, source in sources.items():
            for loading in LOADINGS:
                wanted = 1.5 if loading == "equibiaxial" else 2
                row = min((row for row in rows if (row["material"], row["loading"]) == (f"{name}.solid", loading)), key=lambda row: abs(row["stretch"] - wanted))
                expect_closed_form(self, field="materials", case=f"{LAWS[name]}, {loading} stretch {row['stretch']:.4g}: force per area at rest", source=source,
                                   expected=rubber_stress(name, loading, row["stretch"]), got=row["stress"], tolerance=1e-3, mesh="a point", step="static")

    def test_fits_find_the_constants_again(self):
        rows = self.curves("--stretch", "1", "3")
        for name, law in LAWS.items():
            with open(self.folder / "measured.csv", "w", encoding="utf-8") as file:
                file.write("loading,stretch,stress\n")
                for row in rows:
                    if row["material"] == f"{name}.solid" and row["loading"] != "shear" and row["stress"] != 0:
                        file.write(f"{row['loading']},{row['stretch']},{row['stress']}\n")
            words = [ROOT / "postprocess" / "fit_material", self.folder / "measured.csv", "--law", law]
            result = subprocess.run(list(map(str, words)), capture_output=True, encoding="utf-8", timeout=120, env=ENVIRONMENT | {"PATH": "/usr/bin:/bin"})
            self.assertEqual(result.returncode, 0, result.stderr)
            found, given = yaml.safe_load(result.stdout.splitlines()[0]), yaml.safe_load(MATERIALS[name])
            with self.subTest(law):
                self.assertEqual(found["material"], law)
                errors = [float(number) for number in re.findall(r"largest ([\d.e+-]+) %", result.stdout)]
                self.assertLess(max(errors), 0.5)
                for key, value in given.items():
                    if key in ("material", "density", "bulk_modulus", "prony") or law == "ogden":   # whose terms trade with each other
                        continue
                    self.assertAlmostEqual(float(found[key]) / float(value), 1, delta=0.03, msg=key)


class RefusedCurves(RefusalTest):
    def test_stretches_and_scenes_without_solids(self):
        self.write("block.msh", box_text((1, 1, 1), (1, 1, 1)))
        scene = self.write("scene.yaml", scene_text())
        for ranks in (1, 2):
            self.assert_refused(["traction", "material", scene, "--out", self.folder / "out", "--stretch", "1.5", "3"], ["--stretch", "not above 1", "give two"], ranks)
        rigid = self.write("rigid.yaml", "time: {step: 1e-3, end: 1}\nbodies:\n  block: {mesh: block.msh, rigid: {density: 1000}}\n")
        self.assert_refused(["traction", "material", rigid, "--out", self.folder / "out"], ["no solid", "give a body"], 1)


if __name__ == "__main__":
    unittest.main()
