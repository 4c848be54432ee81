"""Draws frames with VTK, off screen: the bodies, the planes of the scene and soft shadows on them."""

import numpy
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkLookupTable, vtkPoints
from vtkmodules.vtkCommonDataModel import VTK_TETRA, vtkCellArray, vtkPlane, vtkPolyData, vtkUnstructuredGrid
from vtkmodules.vtkFiltersCore import vtkClipPolyData, vtkCutter, vtkPolyDataNormals, vtkStripper, vtkTubeFilter
from vtkmodules.vtkRenderingCore import vtkActor, vtkLightKit, vtkPolyDataMapper, vtkRenderer, vtkRenderWindow, vtkWindowToImageFilter
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401  registers the renderer

BACKGROUND = (0.965, 0.972, 0.98)
GROUND = (0.80, 0.82, 0.845)
STEEL = (0.45, 0.49, 0.54)   # obstacles
GLASS = 0.35   # opacity of obstacles that may hide bodies
INK = (0.13, 0.16, 0.2)
REGION_COLOURS = [(0.36, 0.55, 0.72), (0.87, 0.80, 0.38), (0.78, 0.44, 0.32), (0.45, 0.66, 0.50), (0.60, 0.49, 0.71)]
SUPERSAMPLING = 2   # pixels drawn per pixel kept, in each direction
LIGHTS = 20         # samples of the lamp that casts the shadows
LAMP_SLOPE = 0.4    # how far the lamp reaches sideways, per height above the plane
SHADOW_GRID = 90    # points along each side of a shadow


def unit(vector):
    return numpy.asarray(vector, float) / numpy.linalg.norm(vector)


def perpendicular_pair(normal):
    """Two unit vectors that complete `normal` to a frame, the first along x where possible."""
    axis = numpy.array([1.0, 0, 0]) if abs(normal[0]) < 0.9 else numpy.array([0, 1.0, 0])
    first = unit(axis - normal * axis.dot(normal))
    return first, numpy.cross(normal, first)


def convex_hull(points):
    """Corners of the hull of points in a plane, in order (Andrew's chains)."""
    points = numpy.unique(points, axis=0)

    def chain(ordered):
        kept = []
        for point in ordered:
            while len(kept) > 1:
                (ax, ay), (bx, by) = kept[-1] - kept[-2], point - kept[-2]
                if ax * by - ay * bx > 0:
                    break
                kept.pop()
            kept.append(point)
        return kept[:-1]

    return numpy.array(chain(points) + chain(points[::-1]))


def hull_distance(hull, points):
    """How far outside a convex hull points are, negative inside."""
    edges = numpy.roll(hull, -1, axis=0) - hull
    outward = numpy.stack([edges[:, 1], -edges[:, 0]], axis=1) / numpy.linalg.norm(edges, axis=1, keepdims=True)
    return (points @ outward.T - numpy.sum(outward * hull, axis=1)).max(axis=1)


def poly_data(points, cells, lines=False):
    """`cells`: one row of point numbers per triangle, polygon or line."""
    data = vtkPolyData()
    stored = vtkPoints()
    stored.SetData(numpy_to_vtk(numpy.ascontiguousarray(points, float), deep=True))
    data.SetPoints(stored)
    (data.SetLines if lines else data.SetPolys)(cell_array(cells))
    return data


def cell_array(cells):
    array = vtkCellArray()
    cells = numpy.ascontiguousarray(cells, numpy.int64)
    offsets = numpy.arange(len(cells) + 1, dtype=numpy.int64) * cells.shape[1]
    array.SetData(numpy_to_vtkIdTypeArray(offsets, deep=True), numpy_to_vtkIdTypeArray(cells.ravel(), deep=True))
    return array


def lookup_table(colours, value_range):
    table = vtkLookupTable()
    table.SetNumberOfTableValues(len(colours))
    for i, colour in enumerate(colours):
        table.SetTableValue(i, *colour[:3], 1)
    table.SetTableRange(*value_range)
    return table


class Camera:
    """Where to look from: `azimuth` [degrees] from x towards y around `up`, `elevation` [degrees] above the horizon."""

    VIEW_ANGLE = 22.0
    MARGIN = 1.12

    def __init__(self, up, azimuth, elevation, aspect):
        side, ahead = perpendicular_pair(up)
        a, e = numpy.radians([azimuth, elevation])
        self.horizontal = numpy.cos(a) * side + numpy.sin(a) * ahead
        self.toward = numpy.cos(e) * self.horizontal + numpy.sin(e) * up
        self.right = unit(numpy.cross(up, self.toward))
        self.up = numpy.cross(self.toward, self.right)
        self.aspect = aspect

    def project(self, points):
        """Right, up, toward the camera."""
        return points @ numpy.stack([self.right, self.up, self.toward], axis=1)

    def fit(self, projected):
        """Focal point and distance that show all of the projected points."""
        low, high = projected.min(axis=0), projected.max(axis=0)
        middle = (low + high) / 2
        x, y, depth = numpy.abs(projected - middle).T * [[1], [1], [0]] + (projected - middle).T * [[0], [0], [1]]
        slope = numpy.tan(numpy.radians(self.VIEW_ANGLE / 2)) / self.MARGIN
        distance = numpy.max(depth + numpy.maximum(y, x / self.aspect) / slope)
        return middle @ numpy.stack([self.right, self.up, self.toward]), distance


class FieldScene:
    """`planes`: a Plane of each (obstacle_shapes.py). `colouring`: None for a colour per region, or a function of a frame that gives a number per
    vertex, drawn through `colours` over `value_range`. `size`: pixels of a picture."""

    def __init__(self, size, camera, planes, up, colouring=None, colours=None, value_range=(0, 1), clip=False, radii=None, obstacles=()):
        self.size, self.camera, self.planes, self.up = size, camera, planes, up
        self.colouring, self.clip = colouring, clip
        self.obstacles = obstacles   # a Shape of each (obstacle_shapes.py)
        self.radii = radii or {}   # radius of each region that is a rod
        self.table = lookup_table(colours, value_range) if colouring else lookup_table(REGION_COLOURS, (0, len(REGION_COLOURS) - 1))
        self.renderer = vtkRenderer()
        self.renderer.SetBackground(*BACKGROUND)
        self.renderer.SetBackground2(0.86, 0.89, 0.93)
        self.renderer.GradientBackgroundOn()
        self.lights = vtkLightKit()
        self.lights.SetKeyLightIntensity(0.95)
        for set_warmth in (self.lights.SetKeyLightWarmth, self.lights.SetFillLightWarmth, self.lights.SetHeadLightWarmth,
                           self.lights.SetBackLightWarmth):
            set_warmth(0.5)   # white, so that colours keep their meaning
        self.lights.SetKeyLightElevation(48)
        self.lights.SetKeyLightAzimuth(-25)
        self.lights.SetKeyToFillRatio(2.2)
        self.lights.SetKeyToHeadRatio(2.5)
        self.lights.AddLightsToRenderer(self.renderer)
        self.window = vtkRenderWindow()
        self.window.SetOffScreenRendering(1)
        self.window.SetMultiSamples(0)
        self.window.SetSize(*(SUPERSAMPLING * pixels for pixels in size))
        self.window.AddRenderer(self.renderer)

    def picture(self, frame, focal_point, distance):
        """Height x width x 3 bytes."""
        self.renderer.RemoveAllViewProps()
        self.length_per_pixel = 2 * distance * numpy.tan(numpy.radians(Camera.VIEW_ANGLE / 2)) / self.size[1]
        body_size = max(numpy.ptp(frame.points[vertices], axis=0).max() for vertices in frame.topology.bodies)
        for point, normal in (plane.at(frame.time) for plane in self.planes):
            if normal.dot(self.camera.toward) < 0:   # seen from behind: look through it
                continue
            self._add_plane(point, normal, focal_point, distance)
            self._add_shadows(frame, point, normal, body_size)
        for obstacle in self.obstacles:
            self._add(poly_data(obstacle.at(frame.time), obstacle.triangles), STEEL, opacity=GLASS if obstacle.see_through else 1.0)
        self._add_bodies(frame)
        camera = self.renderer.GetActiveCamera()
        camera.SetViewAngle(Camera.VIEW_ANGLE)
        camera.SetFocalPoint(*focal_point)
        camera.SetPosition(*(focal_point + distance * self.camera.toward))
        camera.SetViewUp(*self.camera.up)
        self.renderer.ResetCameraClippingRange()
        self.window.Render()
        grab = vtkWindowToImageFilter()
        grab.SetInput(self.window)
        grab.ReadFrontBufferOff()
        grab.Update()
        image = grab.GetOutput()
        width, height, _ = image.GetDimensions()
        pixels = vtk_to_numpy(image.GetPointData().GetScalars()).reshape(height, width, 3)[::-1]
        n = SUPERSAMPLING
        return pixels.reshape(height // n, n, width // n, n, 3).mean(axis=(1, 3)).round().astype(numpy.uint8)

    def _add(self, algorithm_or_data, colour=None, opacity=1.0, lit=True, width=None, lift=0.0):
        mapper = vtkPolyDataMapper()
        if hasattr(algorithm_or_data, "GetOutputPort"):
            mapper.SetInputConnection(algorithm_or_data.GetOutputPort())
        else:
            mapper.SetInputDataObject(algorithm_or_data)
        mapper.SetScalarVisibility(colour is None)
        mapper.SetLookupTable(self.table)
        mapper.UseLookupTableScalarRangeOn()
        mapper.SetResolveCoincidentTopologyToPolygonOffset()
        mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(lift, lift)
        mapper.SetRelativeCoincidentTopologyLineOffsetParameters(lift, lift)
        actor = vtkActor()
        actor.SetMapper(mapper)
        shading = actor.GetProperty()
        if colour is not None:
            shading.SetColor(*colour)
        shading.SetOpacity(opacity)
        shading.SetLighting(lit)
        shading.SetAmbient(0.22)
        shading.SetDiffuse(0.82)
        shading.SetSpecular(0.08)
        shading.SetSpecularPower(25)
        if width is not None:
            shading.SetLineWidth(width * SUPERSAMPLING)
        self.renderer.AddActor(actor)
        return actor

    def _add_plane(self, point, normal, focal_point, distance):
        """A disc under what the camera sees, fading out at its rim, with lines in steps of a round length."""
        first, second = perpendicular_pair(normal)
        centre = focal_point - normal * normal.dot(focal_point - point)
        radius = 0.75 * distance
        rings, spokes = 24, 96
        angle = numpy.arange(spokes) * 2 * numpy.pi / spokes
        share = numpy.linspace(0, 1, rings + 1)
        u = radius * share[:, None] * numpy.cos(angle)
        v = radius * share[:, None] * numpy.sin(angle)
        points = centre + u[..., None] * first + v[..., None] * second
        i, j = numpy.meshgrid(numpy.arange(rings), numpy.arange(spokes), indexing="ij")
        next_j = (j + 1) % spokes
        quads = numpy.stack([i * spokes + j, (i + 1) * spokes + j, (i + 1) * spokes + next_j, i * spokes + next_j], axis=-1).reshape(-1, 4)
        self._add_faded(points.reshape(-1, 3), quads, GROUND, numpy.repeat(1 - share**3, spokes))

        step = 10 ** numpy.floor(numpy.log10(distance / 4))
        step *= 5 if distance / step > 50 else 2 if distance / step > 20 else 1
        pieces, lines = [], []
        for along, across in ((first, second), (second, first)):
            offset = across.dot(centre - point)
            for number in range(int(numpy.ceil((offset - radius) / step)), int(numpy.floor((offset + radius) / step)) + 1):
                height = number * step - offset
                half = numpy.sqrt(max(radius**2 - height**2, 0))
                start = sum(len(piece) for piece in pieces)
                pieces.append(centre + height * across + numpy.linspace(-half, half, 41)[:, None] * along)
                lines.extend([start + k, start + k + 1] for k in range(40))
        if pieces:
            points = numpy.concatenate(pieces)
            fade = 1 - numpy.linalg.norm(points - centre, axis=1) / radius
            self._add_faded(points + 2e-4 * distance * normal, numpy.array(lines), (0.45, 0.48, 0.53), 0.35 * fade, lines=True)

    def _add_faded(self, points, cells, colour, opacity, lines=False):
        data = poly_data(points, cells, lines)
        rgba = numpy.empty((len(points), 4), numpy.uint8)
        rgba[:, :3] = numpy.round(255 * numpy.asarray(colour))
        rgba[:, 3] = numpy.round(255 * numpy.clip(opacity, 0, 1))
        data.GetPointData().SetScalars(numpy_to_vtk(rgba, deep=True))
        actor = self._add(data, lit=False, width=1 if lines else None)
        actor.ForceTranslucentOn()

    def _add_shadows(self, frame, point, normal, body_size):
        """The shade under a wide lamp: dark where a body touches, soft and pale where it is high above."""
        first, second = perpendicular_pair(normal)
        turn = numpy.arange(LIGHTS) * numpy.pi * (3 - numpy.sqrt(5))
        slopes = LAMP_SLOPE * numpy.sqrt((numpy.arange(LIGHTS) + 0.5) / LIGHTS)
        lights = slopes[:, None] * numpy.stack([numpy.cos(turn), numpy.sin(turn)], axis=1)
        for vertices in frame.topology.bodies:
            above = frame.points[vertices] - point
            height = above @ normal
            if height.min() > 3 * body_size:
                continue
            flat = numpy.stack([above @ first, above @ second], axis=1)
            reach = LAMP_SLOPE * max(height.max(), 0) + 0.1 * body_size
            axes = [numpy.linspace(flat[:, k].min() - reach, flat[:, k].max() + reach, SHADOW_GRID) for k in (0, 1)]
            grid = numpy.stack(numpy.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
            # Wide enough that the edges of neighbouring lights' shadows run together.
            softness = 0.04 * body_size + 3 * LAMP_SLOPE * max(height.min(), 0) / numpy.sqrt(LIGHTS)
            hulls = [convex_hull(flat + height[:, None] * light) for light in lights]
            shade = sum(numpy.clip(0.5 - hull_distance(hull, grid) / softness, 0, 1) for hull in hulls)
            i, j = numpy.meshgrid(numpy.arange(SHADOW_GRID - 1), numpy.arange(SHADOW_GRID - 1), indexing="ij")
            corner = i * SHADOW_GRID + j
            quads = numpy.stack([corner, corner + SHADOW_GRID, corner + SHADOW_GRID + 1, corner + 1], axis=-1).reshape(-1, 4)
            points = point + grid[:, :1] * first + grid[:, 1:] * second + 3e-4 * body_size * normal
            self._add_faded(points, quads, INK, 0.42 * (shade / LIGHTS) ** 1.3)

    def _add_bodies(self, frame):
        topology = frame.topology
        triangles, regions = topology.surface
        self._add_rods(frame)
        if not len(triangles):
            return
        used, compact = numpy.unique(triangles, return_inverse=True)
        surface = poly_data(frame.points[used], compact.reshape(-1, 3))
        values = self.colouring(frame) if self.colouring else None
        self._set_scalars(surface, values[used] if self.colouring else None, regions)
        edges = numpy.unique(numpy.sort(compact.reshape(-1, 3)[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0)
        wires = poly_data(frame.points[used], edges, lines=True)
        length = numpy.linalg.norm(frame.points[used][edges[:, 0]] - frame.points[used][edges[:, 1]], axis=1).mean()
        # The finer the mesh in the picture, the fainter, or it would be all edges.
        wire_look = dict(colour=INK, opacity=0.2 * min(1, length / self.length_per_pixel / 30), lit=False, width=0.6, lift=-1)
        normals = vtkPolyDataNormals()
        normals.SetInputData(surface)
        normals.SetFeatureAngle(50)
        normals.ConsistencyOff()
        if not self.clip:
            self._add(normals)
            self._add(wires, **wire_look)
            return

        plane = vtkPlane()
        plane.SetOrigin(*frame.points[used].mean(axis=0))
        plane.SetNormal(*-self.camera.horizontal)
        normals.Update()
        for data, look in ((normals.GetOutput(), {}), (wires, wire_look)):
            clipper = vtkClipPolyData()
            clipper.SetInputData(data)
            clipper.SetClipFunction(plane)
            self._add(clipper, **look)
        if len(topology.cells):
            grid = vtkUnstructuredGrid()
            stored = vtkPoints()
            stored.SetData(numpy_to_vtk(frame.points, deep=True))
            grid.SetPoints(stored)
            grid.SetCells(VTK_TETRA, cell_array(topology.cells))
            self._set_scalars(grid, values, topology.regions)
            self._add(self._cut(grid, plane), lift=-3)
        for outline in (topology.interfaces, triangles):
            if len(outline):
                self._add(self._cut(poly_data(frame.points, outline), plane), INK, opacity=0.7, lit=False, width=1.2, lift=-5)

    def _add_rods(self, frame):
        """As tubes; the segments of each region are joined to poly-lines, so that tubes bend smoothly."""
        topology = frame.topology
        values = self.colouring(frame) if self.colouring else None
        for region in numpy.unique(topology.line_regions):
            lines = topology.lines[topology.line_regions == region]
            used, compact = numpy.unique(lines, return_inverse=True)
            data = poly_data(frame.points[used], compact.reshape(-1, 2), lines=True)
            shown = values[used] if values is not None else numpy.full(len(used), region % len(REGION_COLOURS), float)
            data.GetPointData().SetScalars(numpy_to_vtk(numpy.ascontiguousarray(shown, float), deep=True))
            joined = vtkStripper()
            joined.SetInputData(data)
            joined.SetMaximumLength(1_000_000)
            tube = vtkTubeFilter()
            tube.SetInputConnection(joined.GetOutputPort())
            length = numpy.linalg.norm(frame.points[lines[:, 0]] - frame.points[lines[:, 1]], axis=1).mean()
            tube.SetRadius(self.radii.get(int(region), 0.2 * length))
            tube.SetNumberOfSides(16)
            tube.CappingOn()
            self._add(tube)

    def _set_scalars(self, data, values, regions):
        if values is not None:
            data.GetPointData().SetScalars(numpy_to_vtk(numpy.ascontiguousarray(values, float), deep=True))
        else:
            data.GetCellData().SetScalars(numpy_to_vtk(numpy.ascontiguousarray(regions % len(REGION_COLOURS), float), deep=True))

    @staticmethod
    def _cut(data, plane):
        cutter = vtkCutter()
        cutter.SetInputData(data)
        cutter.SetCutFunction(plane)
        return cutter
