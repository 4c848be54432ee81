#!/usr/bin/python3
"""Makes pictures, a film or a strip of pictures of a run's fields.

    render_fields.py out --out-dir pictures --every 10
    render_fields.py out --color contact_pressure --clip --follow --film impact.mp4
    render_fields.py out --frames 120,124,128,132,136,140 --color velocity --sheet impact.png

Draws the surface coloured by a field, the planes that out/run.json knows of, boxes, spheres and cylinders as glass, and the time; planes
seen from behind are left out, so a negative --elevation looks through the floor at the contact.

The camera looks at the middle of the motion, and shows boxes, spheres and cylinders beside the bodies, too, if they are at most three times
as large as what the bodies cover; --follow looks at the bodies alone. Up is against gravity, and z without gravity. --azimuth is the direction, counted from x
counterclockwise about the upward direction, in which the camera stands: with z up it is 0 for a look along -x, 90 for one along -y, -90 for
one along y, which shows x to the right. --elevation is the angle of the camera above the horizon: 90 looks down. A camera that would stand
behind a plane that stands still is turned about the upward direction until it does not. Starts itself again under xvfb-run where there is no display.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import matplotlib

matplotlib.use("Agg")
import numpy  # noqa: E402
from matplotlib import pyplot  # noqa: E402
from matplotlib.cm import ScalarMappable  # noqa: E402
from matplotlib.colors import LinearSegmentedColormap, Normalize  # noqa: E402
from matplotlib.font_manager import FontProperties  # noqa: E402
from matplotlib.textpath import TextPath  # noqa: E402
from matplotlib.ticker import MaxNLocator  # noqa: E402

from field_frames import Frames  # noqa: E402
from field_scene import Camera, FieldScene, unit  # noqa: E402
from obstacle_shapes import Plane, drawn_obstacles  # noqa: E402
from run_description import read_scene_of_run  # noqa: E402

DPI = 100
TEXT = "#2a323c"
# Most of a surface has no contact: it should look like a body, not like a value.
FROM_GREY = LinearSegmentedColormap.from_list("from_grey", ["#c3cad2", "#f0c75e", "#ea7b2f", "#c2242f", "#5a0d22"])
# Title, unit, colours.
FIELDS = {
    "velocity": ("speed", "m/s", "viridis"),
    "displacement": ("displacement", "m", "viridis"),
    "contact_pressure": ("contact pressure", "Pa", FROM_GREY),
    "contact_force": ("contact force", "N", FROM_GREY),
    "contact_traction": ("contact traction", "Pa", FROM_GREY),
    "sliding_velocity": ("sliding speed", "m/s", FROM_GREY),
    "stress": ("stress", "Pa", FROM_GREY),
    "von_mises_stress": ("von Mises stress", "Pa", FROM_GREY),
    "strain": ("strain", "", "viridis"),
    "tension": ("tension", "N/m", FROM_GREY),
    "bending_moment": ("bending moment", "N m/m", FROM_GREY),
    "axial_force": ("axial force", "N", FROM_GREY),
    "curvature": ("curvature", "1/m", "viridis"),
    "twist": ("twist", "rad/m", "viridis"),
    "fibre_stretch": ("stretch of fibres", "", "viridis"),
    "softening": ("lost part of the stress", "", "viridis"),
    "fibre_direction": ("direction of fibres", "", "viridis"),
}
# Element fields that not all of tetrahedra, triangles and lines have.
HAVE_TETRAHEDRA, HAVE_TRIANGLES, HAVE_LINES = {"stress", "von_mises_stress", "strain", "fibre_stretch", "softening", "fibre_direction"}, {"strain", "tension", "bending_moment"}, {"axial_force", "curvature", "twist"}
OF_SOME = HAVE_TETRAHEDRA | HAVE_TRIANGLES | HAVE_LINES
# From which value on, its scale, its name: 0.8 m/s rather than 800 mm/s.
PREFIXES = [(1e9, 1e9, "G"), (1e6, 1e6, "M"), (1e3, 1e3, "k"), (0.1, 1, ""), (1e-3, 1e-3, "m"), (0, 1e-6, "µ")]


class Colouring:
    """How a field becomes colours, from zero to its largest value in the chosen frames: the number itself, the length of a vector, or the size of a tensor's largest
    principal value. Fields of elements are drawn as means around vertices."""

    def __init__(self, name, largest):
        self.name = name
        title, si_unit, self.colour_map = FIELDS.get(name, (name.replace("_", " "), "", "viridis"))
        self.largest = largest if largest > 0 else 1.0
        self.scale, prefix = 1.0, ""
        if si_unit:
            self.scale, prefix = next((scale, name) for start, scale, name in PREFIXES if self.largest >= start)
        self.title = f"{title} [{prefix}{si_unit}]" if si_unit else title

    def values(self, frame):
        return magnitude(frame, self.name)

    def colours(self):
        return pyplot.get_cmap(self.colour_map)(numpy.linspace(0, 1, 256))

    def mappable(self):
        return ScalarMappable(Normalize(0, self.largest / self.scale), self.colour_map)


def magnitude(frame, name):
    if name in frame.cell_fields:
        values = frame.topology.at_vertices(frame.cell_fields[name], *(name in kind or name not in OF_SOME for kind in (HAVE_TETRAHEDRA, HAVE_TRIANGLES, HAVE_LINES)))
    else:
        values = frame.fields[name]
    if values.ndim == 1:
        return numpy.abs(values)
    return numpy.abs(numpy.linalg.eigvalsh(tensors(values))).max(axis=1) if values.shape[1] == 6 else numpy.linalg.norm(values, axis=1)


def tensors(values):
    """3x3 matrices of components in VTK's order: xx, yy, zz, xy, yz, xz."""
    return values[:, [[0, 3, 5], [3, 1, 4], [5, 4, 2]]]


def read_scene(directory):
    """A Plane for each of the scene's planes, the direction against gravity, and the radius of each region that is a rod."""
    scene = read_scene_of_run(directory)
    planes = []
    for surface in (scene.get("surfaces") or {}).values():
        if isinstance(surface, dict) and "plane" in surface:
            planes.append(Plane(numpy.array(surface["plane"]["point"], float), unit(surface["plane"]["normal"]), surface.get("motion") or []))
    # Regions are numbered body by body: solids, shells, rods, each in the order of their names, then the surface of a rigid body.
    regions = []
    for body in (scene.get("bodies") or {}).values():
        regions += [(kind, material) for kind in ("solid", "shell", "rod") for _, material in sorted((body.get(kind) or {}).items())]
        regions += [("rigid", {})] if "rigid" in body else []
    radii = {number: float(material["radius"]) for number, (kind, material) in enumerate(regions) if kind == "rod"}
    gravity = numpy.array(scene.get("gravity", [0, 0, 0]), float)
    return planes, -unit(gravity) if numpy.any(gravity) else numpy.array([0.0, 0, 1]), radii


def chosen_frames(arguments, count):
    if arguments.frames:
        chosen = [index + count if index < 0 else index for index in arguments.frames]
        wrong = [index for index in chosen if not 0 <= index < count]
        if wrong:
            raise ValueError(f"no frame {wrong[0]}: there are {count}, numbered from 0")
        return chosen
    return list(range(0, count, arguments.every))


def sheet_frames(arguments, chosen):
    """The frames that --frames names, or some of the chosen ones, evenly spaced from the first to the last."""
    if arguments.frames:
        return chosen
    places = numpy.linspace(0, len(chosen) - 1, arguments.sheet_count).round().astype(int)
    return [chosen[place] for place in sorted(set(places.tolist()))]


def view_azimuth(planes, up, azimuth, elevation):
    """The wanted direction, turned if the camera would otherwise stand behind one of the scene's walls that stand still."""
    for turn in (0, 60, -60, 120, -120, 180):
        toward = Camera(up, azimuth + turn, elevation, 1).toward
        if all(plane.normal.dot(toward) > 0 for plane in planes if not plane.motion):
            return azimuth + turn
    return azimuth


class Survey:
    """Scans the chosen frames: the field's largest value, and a view of the bodies."""

    LARGEST, FARTHEST = 3, 1   # size and distance of an obstacle that the view shows whole, relative to what the bodies cover

    def __init__(self, frames, indices, camera, field):
        self.largest, self.camera = 0.0, camera
        self.centres, projected, relative = {}, [], []
        for index in indices:
            frame = frames.read(index)
            if field is not None:
                if field not in frame.fields and field not in frame.cell_fields:
                    raise ValueError(f"no field '{field}'; there are: {', '.join([*frame.fields, *frame.cell_fields])}")
                self.largest = max(self.largest, float(numpy.nanmax(magnitude(frame, field))))
            points = camera.project(frame.points[frame.topology.drawn])
            centre = (points.min(axis=0) + points.max(axis=0)) / 2
            self.centres[index] = centre @ numpy.stack([camera.right, camera.up, camera.toward])
            projected.append(self._outline(points))
            relative.append(self._outline(points - centre))
        self.projected = numpy.concatenate(projected)
        self.focal_point, self.distance = camera.fit(self.projected)
        self.close_distance = camera.fit(numpy.concatenate(relative))[1]
        self.middle = numpy.mean(list(self.centres.values()), axis=0)

    @property
    def width(self):
        """Width of the pictures [m]."""
        return 2 * self.distance * numpy.tan(numpy.radians(Camera.VIEW_ANGLE / 2))

    def widen(self, shapes, times):
        """Lets the view show obstacles whole, too, that lie beside the bodies and are not much larger."""
        low, high = self.projected.min(axis=0), self.projected.max(axis=0)
        size = numpy.linalg.norm(high - low)
        shown = [self.projected]
        for shape in shapes:
            for time in times:
                points = self.camera.project(shape.outline_at(time))
                first, last = points.min(axis=0), points.max(axis=0)
                gap = numpy.linalg.norm(numpy.maximum(0, numpy.maximum(first - high, low - last)))
                if numpy.linalg.norm(last - first) <= self.LARGEST * size and gap <= self.FARTHEST * size:
                    shown.append(self._outline(points))
        self.focal_point, self.distance = self.camera.fit(numpy.concatenate(shown))

    @staticmethod
    def _outline(points):
        """The outermost points in many directions, enough for fitting a camera."""
        angles = numpy.linspace(0, 2 * numpy.pi, 32, endpoint=False)
        directions = numpy.concatenate([[numpy.cos(angles)], [numpy.sin(angles)], [numpy.full(32, 0.2)]])
        return points[numpy.unique(numpy.argmax(points @ directions, axis=0))]

    def view(self, index, follow, zoom):
        focal_point, distance = (self.centres[index], self.close_distance * 1.25) if follow else (self.focal_point, self.distance)
        return focal_point, distance / zoom


def time_text(frames, index):
    """As many digits as the times of the frames need."""
    scale, name = (1e3, "ms") if max(frames.times) < 1 else (1, "s")
    times = [scale * time for time in frames.times]
    step = min((b - a for a, b in zip(times, times[1:])), default=1)
    digits = next((n for n in range(6) if all(abs(round(time, n) - time) < 0.02 * step for time in times)), 6)
    return f"t = {times[index]:.{digits}f} {name}"


def style_colour_bar(bar):
    bar.outline.set_visible(False)
    bar.ax.tick_params(colors=TEXT, labelsize=10, length=3)


def save_picture(path, pixels, stamp, colouring):
    height, width = pixels.shape[:2]
    scale = height / 960   # texts keep their share of the picture
    dpi = DPI * scale
    figure = pyplot.figure(figsize=((width + 0.01) / dpi, (height + 0.01) / dpi), dpi=dpi)
    figure.add_axes([0, 0, 1, 1], frameon=False).imshow(pixels, interpolation="none", aspect="auto")
    figure.axes[0].set_axis_off()
    figure.text(24 * scale / width, 1 - 26 * scale / height, stamp, color=TEXT, fontsize=15, va="top")
    if colouring is not None:
        axes = figure.add_axes([1 - 125 * scale / width, 0.28, 18 * scale / width, 0.44])
        bar = figure.colorbar(colouring.mappable(), cax=axes)
        style_colour_bar(bar)
        axes.set_title(colouring.title, color=TEXT, fontsize=11, loc="center", pad=12)
    figure.savefig(path, dpi=dpi)
    pyplot.close(figure)


class SheetBar:
    """The colour bar below a sheet: its title to the left of it, or above it and both as wide as the sheet allows where that is narrow."""

    WIDTH, GAP, MARGIN = 360, 16, 12   # pixels; the last also leaves room for half of the number at each end

    def __init__(self, colouring, sheet_width):
        self.colouring, self.sheet_width = colouring, sheet_width
        font = FontProperties(size=11)
        self.title_width = TextPath((0, 0), colouring.title, prop=font).get_extents().width * DPI / 72
        self.is_beside = sheet_width >= self.WIDTH + 2 * (self.GAP + self.title_width + self.MARGIN)
        self.width = min(self.WIDTH, sheet_width - 4 * self.MARGIN)
        self.height = 72 if self.is_beside else 96

    def draw(self, figure, total_height):
        axes = figure.add_axes([0.5 - self.width / 2 / self.sheet_width, 40 / total_height, self.width / self.sheet_width, 12 / total_height])
        bar = figure.colorbar(self.colouring.mappable(), cax=axes, orientation="horizontal")
        style_colour_bar(bar)
        if self.is_beside:
            figure.text(0.5 - (self.width / 2 + self.GAP) / self.sheet_width, 46 / total_height, self.colouring.title, color=TEXT, fontsize=11, ha="right", va="center")
            return
        bar.locator = MaxNLocator(max(1, self.width // 50))
        bar.update_ticks()
        size = 11 * min(1, (self.sheet_width - 2 * self.MARGIN) / self.title_width)
        figure.text(0.5, 72 / total_height, self.colouring.title, color=TEXT, fontsize=size, ha="center", va="center")


def save_sheet(path, tiles, stamps, colouring):
    """Pictures side by side as on a film strip, times above them, one colour bar below."""
    height, width = tiles[0].shape[:2]
    gap, top = 8, 38
    total_width = len(tiles) * width + (len(tiles) + 1) * gap
    bar = None if colouring is None else SheetBar(colouring, total_width)
    bottom = 12 if bar is None else bar.height
    total_height = height + top + bottom
    figure = pyplot.figure(figsize=((total_width + 0.01) / DPI, (total_height + 0.01) / DPI), dpi=DPI, facecolor="white")
    for i, (pixels, stamp) in enumerate(zip(tiles, stamps)):
        left = gap + i * (width + gap)
        axes = figure.add_axes([left / total_width, bottom / total_height, width / total_width, height / total_height])
        axes.imshow(pixels, interpolation="none", aspect="auto")
        axes.set_axis_off()
        figure.text((left + width / 2) / total_width, 1 - top / 2 / total_height, stamp, color=TEXT, fontsize=12, ha="center", va="center")
    if bar is not None:
        bar.draw(figure, total_height)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=DPI)
    pyplot.close(figure)


def make_film(folder, names, path, rate):
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as numbered:
        for i, name in enumerate(names):
            os.symlink((folder / name).resolve(), f"{numbered}/{i:06d}.png")
        command = ["ffmpeg", "-y", "-loglevel", "error", "-framerate", str(rate), "-i", f"{numbered}/%06d.png"]
        # Players want even sizes and this pixel format.
        command += ["-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "18"]
        command += ["-movflags", "+faststart"]
        subprocess.run([*command, str(path)], check=True)


def parse_arguments():
    def pixels(text):
        width, height = (int(part) for part in text.split("x"))
        return width, height

    def numbers(text):
        return [int(part) for part in text.split(",")]

    def positive(text):
        number = int(text)
        if number < 1:
            raise ValueError
        return number

    def positive_value(text):
        value = float(text)
        if not 0 < value < numpy.inf:
            raise argparse.ArgumentTypeError("must be above zero")
        return value

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path, metavar="DIR", help="folder of a run, with fields.hdf.series or fields.hdf")
    parser.add_argument("--out-dir", type=pathlib.Path, metavar="DIR2", help="folder for one PNG per frame")
    parser.add_argument("--film", type=pathlib.Path, metavar="FILE.mp4", help="make a film of the chosen frames")
    parser.add_argument("--sheet", type=pathlib.Path, metavar="FILE.png", help="put frames side by side in one picture: those of --frames, or --sheet-count of all")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--frames", type=numbers, metavar="0,5,10", help="frames to draw (negative: from the end)")
    choice.add_argument("--every", type=positive, default=1, metavar="N", help="draw every Nth frame")
    parser.add_argument("--color", default="velocity", metavar="FIELD", help="field to colour by: velocity, contact_pressure, ..., or none "
                        "for a colour per region (default: velocity)")
    parser.add_argument("--range", type=positive_value, metavar="MAX", help="value of the field, in SI units, at which the colours end; they begin at 0, and larger values have the last colour "
                        "(default: the field's largest value in the drawn frames)")
    parser.add_argument("--clip", action="store_true", help="cut the bodies open by a vertical plane facing the camera")
    parser.add_argument("--obstacles", action="store_true", help="draw obstacles that are meshes, too")
    parser.add_argument("--follow", action="store_true", help="keep the bodies in the middle instead of showing the whole motion")
    parser.add_argument("--size", type=pixels, default=(1280, 960), metavar="WxH", help="pixels of a picture (default 1280x960)")
    parser.add_argument("--azimuth", type=float, default=-65, help="direction in which the camera stands, about the upward direction from x [degrees] (default -65)")
    parser.add_argument("--elevation", type=float, default=11, help="angle of the camera above the horizon [degrees] (default 11)")
    parser.add_argument("--zoom", type=float, default=1, help="larger is closer")
    parser.add_argument("--rate", type=float, default=25, help="frames per second of the film")
    parser.add_argument("--sheet-size", type=pixels, default=(300, 300), metavar="WxH", help="pixels of each picture on the sheet")
    parser.add_argument("--sheet-count", type=positive, default=6, metavar="N", help="pictures on the sheet when --frames isn't given: evenly spaced "
                        "from the first frame to the last (default 6)")
    arguments = parser.parse_args()
    if not (arguments.out_dir or arguments.film or arguments.sheet):
        parser.error("nothing to make: give --out-dir, --film or --sheet")
    return arguments


class Studio:
    """One choice of frames, seen by one camera."""

    def __init__(self, arguments, frames, indices, size):
        planes, up, radii = read_scene(arguments.directory)
        azimuth = view_azimuth(planes, up, arguments.azimuth, arguments.elevation)
        camera = Camera(up, azimuth, arguments.elevation, size[0] / size[1])
        field = None if arguments.color == "none" else arguments.color
        self.frames, self.arguments = frames, arguments
        self.survey = Survey(frames, indices, camera, field)
        self.colouring = Colouring(field, arguments.range or self.survey.largest) if field else None
        coloured = (self.colouring.values, self.colouring.colours(), (0, self.colouring.largest)) if field else ()

        def obstacles():
            return drawn_obstacles(arguments.directory, self.survey.middle, self.survey.width, arguments.obstacles)
        self.survey.widen(obstacles(), [frames.times[index] for index in indices])
        self.scene = FieldScene(size, camera, planes, up, *coloured, clip=arguments.clip, radii=radii, obstacles=obstacles())

    def picture(self, index):
        return self.scene.picture(self.frames.read(index), *self.survey.view(index, self.arguments.follow, self.arguments.zoom))


def make_pictures(arguments, frames, chosen, folder):
    folder.mkdir(parents=True, exist_ok=True)
    studio = Studio(arguments, frames, chosen, arguments.size)
    names = []
    for index in chosen:
        names.append(f"{pathlib.Path(frames.names[index]).stem}.png")
        save_picture(folder / names[-1], studio.picture(index), time_text(frames, index), studio.colouring)
    if arguments.film:
        make_film(folder, names, arguments.film, arguments.rate)


def main():
    arguments = parse_arguments()
    if not os.environ.get("DISPLAY"):
        if shutil.which("xvfb-run") is None:
            sys.exit("there is no display, and no xvfb-run to make one (Debian: apt install xvfb xauth)")
        os.execvp("xvfb-run", ["xvfb-run", "-a", sys.executable, *sys.argv])
    try:
        frames = Frames(arguments.directory)
        chosen = chosen_frames(arguments, len(frames))
        if arguments.out_dir:
            make_pictures(arguments, frames, chosen, arguments.out_dir)
        elif arguments.film:
            with tempfile.TemporaryDirectory() as folder:
                make_pictures(arguments, frames, chosen, pathlib.Path(folder))
        if arguments.sheet:
            indices = sheet_frames(arguments, chosen)
            studio = Studio(arguments, frames, indices, arguments.sheet_size)
            save_sheet(arguments.sheet, [studio.picture(i) for i in indices], [time_text(frames, i) for i in indices], studio.colouring)
    except (OSError, ValueError, KeyError, subprocess.CalledProcessError) as problem:
        sys.exit(f"{arguments.directory}: {problem}")


if __name__ == "__main__":
    main()
