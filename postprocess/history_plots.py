"""Small plots of a run's history as SVG, for pages: drawn without any library."""

import html
import math
import re

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 520, 240, 64, 12, 44, 34
COLOURS = ["#1f5a94", "#d1642b", "#3d8b57", "#8a4f9e", "#b5932b", "#5f6b73"]
MOST_POINTS = 400


def ticks(low, high):
    """Four to nine round numbers from low to high."""
    raw = (high - low) / 6
    power = 10 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw)
    return [step * k for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def thinned(points):
    """At most MOST_POINTS of the points: of each run of neighbours the lowest and the highest."""
    if len(points) <= MOST_POINTS:
        return points
    size = math.ceil(2 * len(points) / MOST_POINTS)
    chosen = []
    for start in range(0, len(points), size):
        part = points[start:start + size]
        low, high = min(part, key=lambda point: point[1]), max(part, key=lambda point: point[1])
        chosen += [low] if low == high else sorted((low, high))
    return chosen


def plot(title, times, series):
    """One panel: `series` are name -> values over the times. Values that are not finite leave a gap of one point. None where there is nothing to draw."""
    curves = {name: [(t, v) for t, v in zip(times, values) if math.isfinite(v)] for name, values in series.items()}
    curves = {name: points for name, points in curves.items() if points}
    if not curves:
        return None
    values = [v for points in curves.values() for _, v in points]
    low, high, begin, end = min(values), max(values), min(times), max(times)
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        margin = 0.1 * abs(high) or 1
        low, high = low - margin, high + margin
    if end <= begin:
        end = begin + 1

    def x(time):
        return LEFT + (time - begin) / (end - begin) * (WIDTH - LEFT - RIGHT)

    def y(value):
        return HEIGHT - BOTTOM - (value - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="11" fill="#2a323c">',
             f'<text x="{LEFT}" y="14" font-size="13" font-weight="bold">{html.escape(title)}</text>']
    for value in ticks(low, high):
        lines.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.2f}" y2="{y(value):.2f}" stroke="#e6eaee"/>'
                     f'<text x="{LEFT - 5}" y="{y(value) + 4:.2f}" text-anchor="end">{value:.6g}</text>')
    for time in ticks(begin, end):
        lines.append(f'<text x="{x(time):.2f}" y="{HEIGHT - BOTTOM + 15}" text-anchor="middle">{time:.6g}</text>')
    lines.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 4}" text-anchor="middle">time [s]</text>')
    place = LEFT
    for number, (name, points) in enumerate(curves.items()):
        colour = COLOURS[number % len(COLOURS)]
        path = " ".join(f"{x(t):.2f},{y(v):.2f}" for t, v in thinned(points))
        lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.4"/>')
        if len(curves) > 1:
            lines.append(f'<text x="{place}" y="30" fill="{colour}">{html.escape(name)}</text>')
            place += 7 * len(name) + 14
    return "\n".join([*lines, "</svg>"])


def panels(history):
    """Plots of what every history has, `history` being column -> values."""
    times = history["time"]
    energies = {name.removesuffix("_energy"): history[name] for name in history if name.endswith("_energy") and name != "stiffening_energy" and any(history[name])}
    works = {name.removeprefix("work_"): history[name] for name in history if name.startswith("work_") and any(history[name])}
    works["numerical"] = history.get("energy_numerical", [])
    drawn = [plot("Energies [J]", times, energies), plot("Work on the bodies since the start, and numerical errors [J]", times, works)]
    for body in [name.removesuffix(".x") for name in history if re.fullmatch(r"[^.]+\.x", name)]:
        drawn.append(plot(f"{body}: centre of mass, from its place after the first step [m]", times, {axis: [v - history[f"{body}.{axis}"][0] for v in history[f"{body}.{axis}"]] for axis in "xyz"}))
        drawn.append(plot(f"{body}: velocity of the centre [m/s]", times, {axis: history[f"{body}.v{axis}"] for axis in "xyz"}))
        if f"{body}.pressure" in history:
            drawn.append(plot(f"{body}: pressure [Pa]", times, {"pressure": history[f"{body}.pressure"]}))
    for contact in [name.removesuffix(".contacts") for name in history if name.endswith(".contacts")]:
        drawn.append(plot(f"{contact}: force of the contact [N]", times, {axis: history[f"{contact}.f{axis}"] for axis in "xyz" if f"{contact}.f{axis}" in history}))
    drawn.append(plot("Iterations in a step", times, {name: history[f"{name}_iterations"] for name in ("newton", "linear") if f"{name}_iterations" in history}))
    drawn.append(plot("Time step [s]", times, {"dt": history["dt"]}) if "dt" in history else None)
    return [panel for panel in drawn if panel]
