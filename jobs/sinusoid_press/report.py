"""Report of the sinusoid press: force over depth by finite elements and by a pressure field, in parts of that of a flat stamp."""

import math

import numpy

DEPTH, HALF = 0.4, math.pi / 3            # depth at the end, and half a wavelength, in parts of the thickness


def moduli(run):
    solid = run.scene["bodies"]["layer"]["solid"]["layer"]
    young, poisson = solid["youngs_modulus"], solid["poisson_ratio"]
    return young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))


def flat(run, depth):
    """Pressure of a flat stamp at this depth: all of the layer is compressed without widening."""
    (first, second), stretch = moduli(run), 1 - depth
    if run.scene["bodies"]["layer"]["solid"]["layer"].get("material") == "linear_elastic":
        return (first + 2 * second) * depth
    return second * (1 / stretch - stretch) - first * math.log(stretch) / stretch


def field(amplitude, depth, points=20000):
    """Force of a field's linear pressure on half a wavelength over that of a flat stamp at DEPTH, by quadrature."""
    x = (numpy.arange(points) + 0.5) * math.pi / points
    return numpy.maximum(0, depth - amplitude * (1 - numpy.cos(x))).mean() / DEPTH


def curves(run):
    """Depth, and the pressure over half a wavelength [Pa] of the finite elements and of the field, whose modulus becomes the layer's at small strains."""
    time, elements, pressed, sunk = (numpy.array(column) for column in run.columns("time", "layer.bottom.fz", "field.fz", "ram.displacement"))
    first, second = moduli(run)
    width = run.scene["bodies"]["layer"]["mesh_parameters"]["element_size"]
    modulus = run.scene["pressure_fields"]["foundation"]["modulus"]
    return DEPTH * time, elements / (width * HALF), pressed / HALF * (first + 2 * second) / modulus, -sunk


def rows_of(run):
    depth, elements, pressed, _ = curves(run)
    first, second = moduli(run)
    amplitude, linear = run.scene["bodies"]["twin"]["mesh_parameters"]["amplitude"], (first + 2 * second) * DEPTH
    rows = [("field: force over that of a flat field", pressed[-1] / linear, "", f"{field(amplitude, DEPTH):.5f}", "quadrature"),
            ("finite elements: force over that of a flat field", elements[-1] / linear, "", "", ""),
            ("finite elements: force over that of a flat stamp", elements[-1] / flat(run, DEPTH), "", "1" if amplitude == 0 else "", "uniaxial strain" if amplitude == 0 else ""),
            ("field over finite elements, less 1", pressed[-1] / elements[-1] - 1, "", "", "")]
    half = int(numpy.argmin(numpy.abs(depth - DEPTH / 2)))
    return [*rows, ("field over finite elements at half the depth, less 1", pressed[half] / elements[half] - 1, "", "", "")]


def summary(run):
    return [*rows_of(run), ("seconds", run.report["costs"]["total"]["seconds"], "s", "", "")]


def draw(axes, run, colour, style="-", label=None):
    depth, elements, pressed, _ = curves(run)
    linear = sum((1, 2)[i] * modulus for i, modulus in enumerate(moduli(run))) * DEPTH
    axes.plot(depth, elements / linear, style, color=colour, label=label, linewidth=1.2)
    axes.plot(depth, pressed / linear, ":", color=colour, linewidth=1.6)
    axes.set(xlabel="depth over thickness", ylabel="force over that of a flat field at 0.4")


def pictures(run):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(5.4, 4), constrained_layout=True)
    draw(axes, run, "C0", label="finite elements; dotted: field")
    axes.legend(frameon=False)
    figure.savefig(run.directory / "force.png", dpi=150)
    pyplot.close(figure)
    run.render("frames.png", (0, 2, 4), "--azimuth", "-90", "--elevation", "5", "--color", "displacement")


def study(runs, directory):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6.4, 4.4), constrained_layout=True)
    rows, colours = [], {0.0: "C0", 0.166: "C1", 0.333: "C2"}
    for run in runs:
        rows += [(f"{quantity}: {run.label}", *rest) for quantity, *rest in rows_of(run)]
        amplitude = run.scene["bodies"]["twin"]["mesh_parameters"]["amplitude"]
        hooke = "Hooke" in run.label
        if hooke or "16 cells" in run.label:
            draw(axes, run, colours[amplitude], "--" if hooke else "-", f"η = {amplitude:g}" + (", Hooke" if hooke else ", neo-Hookean"))
    axes.legend(frameon=False, fontsize=8, title="finite elements; dotted: field")
    figure.savefig(directory / "sinusoid_press.png", dpi=150)
    return rows
