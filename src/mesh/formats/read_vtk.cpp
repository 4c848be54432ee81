// VTK's unstructured grids, .vtu and legacy .vtk, read by VTK itself.

#include <fmt/format.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellTypes.h>
#include <vtkDataArray.h>
#include <vtkIdList.h>
#include <vtkLogger.h>
#include <vtkNew.h>
#include <vtkOutputWindow.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkSmartPointer.h>
#include <vtkStringArray.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkUnstructuredGridReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <map>

#include "errors.h"
#include "mesh/formats/check_vtk_file.h"
#include "mesh/formats/mesh_formats.h"
#include "mesh/mesh_builder.h"
#include "settings/file_ending.h"

namespace traction {

namespace {

// Some of VTK's errors are reported by objects inside its readers, which an observer on the reader doesn't hear; all of them end here.
class MessageWindow : public vtkOutputWindow {
 public:
  static MessageWindow* New();
  vtkTypeMacro(MessageWindow, vtkOutputWindow) MessageWindow(const MessageWindow&) = delete;
  MessageWindow& operator=(const MessageWindow&) = delete;
  void DisplayText(const char*) override {}
  void DisplayErrorText(const char* text) override { keep(text); }
  void DisplayWarningText(const char* text) override { keep(text); }
  void DisplayGenericWarningText(const char* text) override { keep(text); }
  const std::string& first() const { return first_; }

 protected:
  MessageWindow() = default;

 private:
  // Extracts the message from "ERROR: In FILE, line N
  // CLASS (ADDRESS): message"; users cannot use the rest.
  void keep(std::string text) {
    if (!first_.empty()) return;
    if (const std::size_t start = text.find("): "); start != std::string::npos) text = text.substr(start + 3);
    for (char c : text) {
      if (first_.size() >= 300) break;
      if (c > ' ' && c <= '~') first_ += c;
      else if (!first_.empty() && first_.back() != ' ') first_ += ' ';
    }
    while (!first_.empty() && (first_.back() == ' ' || first_.back() == '.')) first_.pop_back();
    if (first_.empty() || first_.starts_with("Algorithm ")) first_ = "VTK can't read it";  // the message of the pipeline contains addresses of its objects
  }

  std::string first_;
};

vtkStandardNewMacro(MessageWindow)

    class MessageCapture {
 public:
  MessageCapture() : before_(vtkOutputWindow::GetInstance()) {
    // VTK also logs errors to stderr, independently of its window.
    vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
    vtkOutputWindow::SetInstance(window_);
  }
  MessageCapture(const MessageCapture&) = delete;
  MessageCapture& operator=(const MessageCapture&) = delete;
  ~MessageCapture() { vtkOutputWindow::SetInstance(before_); }
  const std::string& first() const { return window_->first(); }

 private:
  vtkSmartPointer<vtkOutputWindow> before_;
  vtkNew<MessageWindow> window_;
};

template <typename Reader>
vtkSmartPointer<vtkUnstructuredGrid> update(Reader& reader, const std::string& path) {
  reader.SetFileName(path.c_str());
  reader.Update();
  return reader.GetOutput();
}

vtkSmartPointer<vtkUnstructuredGrid> read_grid(const std::string& path) {
  const MessageCapture messages;
  vtkSmartPointer<vtkUnstructuredGrid> grid;
  try {
    if (file_ending(path) == ".vtu") {
      check_xml_vtk(path, read_bytes(path));
      grid = update(*vtkNew<vtkXMLUnstructuredGridReader>(), path);
    } else {
      check_legacy_vtk(path, read_bytes(path));
      vtkNew<vtkUnstructuredGridReader> reader;
      // Without this only the first array of each kind is read.
      reader->ReadAllScalarsOn();
      reader->ReadAllFieldsOn();
      grid = update(*reader, path);
    }
  } catch (const InputError&) {
    throw;
  } catch (const FileError&) {
    throw;
  } catch (const std::exception& error) {
    throw InputError(fmt::format("{}: {}. The file is damaged: write it again", path, error.what()));
  }
  if (!messages.first().empty()) throw InputError(fmt::format("{}: {}. Write it again as an unstructured grid", path, messages.first()));
  if (!grid || !grid->GetPoints() || grid->GetNumberOfCells() == 0)
    throw InputError(fmt::format("{}: there is no unstructured grid with cells in it. Write it again as an unstructured grid", path));
  return grid;
}

// Finds the regions of cells, given as numbers or names.
class CellRegions {
 public:
  CellRegions(const std::string& path, vtkUnstructuredGrid& grid) : path_(path) {
    for (const char* name : {"region", "gmsh:physical"}) {
      vtkAbstractArray* array = grid.GetCellData()->GetAbstractArray(name);
      if (!array) continue;
      name_ = name;
      if (array->GetNumberOfComponents() != 1 || array->GetNumberOfTuples() != grid.GetNumberOfCells())
        throw InputError(fmt::format("{}: the cell array '{}' needs one value per cell. Write it with one component", path_, name_));
      texts_ = vtkStringArray::SafeDownCast(array);
      if (!texts_) numbers_ = integers(array);
      return;
    }
  }

  // The regions of a cell; empty for an empty name and for Gmsh's number 0.
  std::vector<int> of(vtkIdType cell, int dimension, MeshBuilder& builder) {
    if (texts_) {
      const std::string& text = texts_->GetValue(cell);
      if (text.empty()) return {};
      const std::int64_t number = number_of_text_.try_emplace(text, static_cast<std::int64_t>(number_of_text_.size())).first->second;
      builder.name_region(dimension, number, text);
      return {builder.region(dimension, number)};
    }
    if (!numbers_) return {};
    const double value = numbers_->GetTuple1(cell);
    if (value == 0 && name_ == "gmsh:physical") return {};
    return {builder.region(dimension, static_cast<std::int64_t>(value))};
  }

 private:
  vtkDataArray* integers(vtkAbstractArray* array) const {
    vtkDataArray* numbers = vtkDataArray::SafeDownCast(array);
    if (!numbers || numbers->GetDataType() == VTK_FLOAT || numbers->GetDataType() == VTK_DOUBLE)
      throw InputError(fmt::format("{}: the cell array '{}' holds neither integers nor strings. Write it as one of these", path_, name_));
    double range[2];
    numbers->GetRange(range);
    if (std::max(std::abs(range[0]), std::abs(range[1])) > std::numeric_limits<int>::max())
      throw InputError(fmt::format("{}: the cell array '{}' holds numbers that are too large for regions. Write smaller ones", path_, name_));
    return numbers;
  }

  std::string path_, name_;
  vtkStringArray* texts_ = nullptr;
  vtkDataArray* numbers_ = nullptr;
  std::map<std::string, std::int64_t> number_of_text_;
};

void check_structure(const std::string& path, vtkUnstructuredGrid& grid) {
  vtkCellArray* cells = grid.GetCells();
  const vtkUnsignedCharArray* types = grid.GetCellTypesArray();
  if (!cells || !types || !cells->IsValid() || types->GetNumberOfValues() != cells->GetNumberOfCells())
    throw InputError(fmt::format("{}: the lists of cells, offsets and types don't fit together. Write it again", path));
  if (std::max(grid.GetNumberOfPoints(), grid.GetNumberOfCells()) > std::numeric_limits<int>::max())
    throw InputError(fmt::format("{}: it has more points or cells than can be numbered. Use a coarser mesh", path));
}

constexpr std::int64_t kNumberWithoutName = std::numeric_limits<std::int64_t>::max();  // number of the region of lines that belong to no other

// The dimension of a cell; zero for cells that are ignored.
int cell_dimension(const std::string& path, vtkIdType cell, int type) {
  switch (type) {
    case VTK_VERTEX: return 0;
    case VTK_LINE:
    case VTK_POLY_LINE:
    case VTK_QUADRATIC_EDGE: return 1;
    case VTK_TRIANGLE:
    case VTK_QUADRATIC_TRIANGLE: return 2;
    case VTK_TETRA:
    case VTK_QUADRATIC_TETRA: return 3;
    default: break;
  }
  throw InputError(fmt::format("{}: the cell {} is of type {} ({}): only tetrahedra and triangles of first and second order are supported. Mesh with these",
                               path, cell + 1, type, vtkCellTypes::GetClassNameFromTypeId(type)));
}

int point_of(const std::string& path, vtkUnstructuredGrid& grid, vtkIdType cell, vtkIdType id) {
  if (id < 0 || id >= grid.GetNumberOfPoints())
    throw InputError(fmt::format("{}: the cell {} names the point {}, but there are {}. Write it again", path, cell + 1, id, grid.GetNumberOfPoints()));
  return static_cast<int>(id);
}

}  // namespace

VertexMotion read_vtk_points(const std::string& path, bool with_velocities) {
  const vtkSmartPointer<vtkUnstructuredGrid> grid = read_grid(path);
  vtkDataArray* velocity = with_velocities ? grid->GetPointData()->GetArray("velocity") : nullptr;
  if (with_velocities && (!velocity || velocity->GetNumberOfComponents() != 3 || velocity->GetNumberOfTuples() != grid->GetNumberOfPoints()))
    throw InputError(fmt::format("{}: there is no point array 'velocity' with three components. Add one, or leave 'velocities' out of the scene", path));
  VertexMotion motion;
  for (vtkIdType p = 0; p < grid->GetNumberOfPoints(); ++p) {
    motion.positions.emplace_back(grid->GetPoint(p));
    motion.velocities.push_back(velocity ? Vec3(velocity->GetTuple3(p)) : Vec3::Zero());
  }
  return motion;
}

Mesh read_vtk(const std::string& path, const std::set<std::string>& rods, const std::set<std::string>& shells) {
  const vtkSmartPointer<vtkUnstructuredGrid> grid = read_grid(path);
  check_structure(path, *grid);
  MeshBuilder builder(path);
  builder.keep_curves(rods);
  builder.keep_surfaces(shells);
  for (vtkIdType p = 0; p < grid->GetNumberOfPoints(); ++p) {
    const double* x = grid->GetPoint(p);
    builder.add_vertex({x[0], x[1], x[2]});
  }
  CellRegions regions(path, *grid);
  vtkNew<vtkIdList> points;
  for (vtkIdType cell = 0; cell < grid->GetNumberOfCells(); ++cell) {
    const int dimension = cell_dimension(path, cell, grid->GetCellTypesArray()->GetValue(cell));
    if (dimension == 0 || (dimension == 1 && rods.empty())) continue;
    grid->GetCells()->GetCellAtId(cell, points);
    const int type = grid->GetCellTypesArray()->GetValue(cell);
    const bool is_quadratic = type == VTK_QUADRATIC_EDGE || type == VTK_QUADRATIC_TRIANGLE || type == VTK_QUADRATIC_TETRA;
    const vtkIdType expected = !is_quadratic ? dimension + 1 : (dimension + 1) * (dimension + 2) / 2;
    const bool is_chain = type == VTK_LINE || type == VTK_POLY_LINE;
    if (!is_chain && points->GetNumberOfIds() != expected)
      throw InputError(
          fmt::format("{}: the cell {} has {} vertices where {} are expected. Write it again", path, cell + 1, points->GetNumberOfIds(), expected));
    std::array<int, 10> v{};
    for (vtkIdType i = 0; !is_chain && i < expected; ++i) v[static_cast<std::size_t>(i)] = point_of(path, *grid, cell, points->GetId(i));
    for (int k = dimension + 1; is_quadratic && k < expected; ++k) {
      constexpr std::array<std::array<int, 2>, 6> kEdges = {{{0, 1}, {1, 2}, {2, 0}, {3, 0}, {3, 1}, {3, 2}}};  // in VTK's order
      const auto& [a, b] = kEdges[k - dimension - 1];
      builder.add_midpoint(v[a], v[b], v[k]);
    }
    if (dimension == 1) {
      std::vector<int> in = regions.of(cell, 1, builder);
      if (in.empty()) {
        builder.name_region(1, kNumberWithoutName, kRodWithoutName);
        in = {builder.region(1, kNumberWithoutName)};
      }
      if (is_quadratic) builder.add_segment({v[0], v[1]}, in);
      for (vtkIdType i = 1; is_chain && i < points->GetNumberOfIds(); ++i)
        builder.add_segment({point_of(path, *grid, cell, points->GetId(i - 1)), point_of(path, *grid, cell, points->GetId(i))}, in);
      continue;
    }
    if (dimension == 3) builder.add_tetrahedron({v[0], v[1], v[2], v[3]}, regions.of(cell, 3, builder));
    else builder.add_triangle({v[0], v[1], v[2]}, regions.of(cell, 2, builder));
  }
  return builder.finish("");
}

SurfaceMesh read_vtk_surface(const std::string& path) {
  const vtkSmartPointer<vtkUnstructuredGrid> grid = read_grid(path);
  check_structure(path, *grid);
  SurfaceMesh mesh;
  for (vtkIdType p = 0; p < grid->GetNumberOfPoints(); ++p) {
    const double* x = grid->GetPoint(p);
    mesh.vertices.emplace_back(x[0], x[1], x[2]);
  }
  vtkNew<vtkIdList> points;
  for (vtkIdType cell = 0; cell < grid->GetNumberOfCells(); ++cell) {
    const int type = grid->GetCellTypesArray()->GetValue(cell);
    grid->GetCells()->GetCellAtId(cell, points);
    std::vector<int> v;
    for (vtkIdType i = 0; i < points->GetNumberOfIds(); ++i) v.push_back(point_of(path, *grid, cell, points->GetId(i)));
    const auto require = [&](bool good) {
      if (!good) throw InputError(fmt::format("{}: the cell {} cannot have {} vertices. Write it again", path, cell + 1, v.size()));
    };
    if (type == VTK_TRIANGLE) {
      require(v.size() == 3);
      mesh.triangles.push_back({v[0], v[1], v[2]});
    } else if (type == VTK_LINE || type == VTK_POLY_LINE) {
      require(type == VTK_LINE ? v.size() == 2 : v.size() > 1);
      for (std::size_t i = 1; i < v.size(); ++i) mesh.segments.push_back({v[i - 1], v[i]});
    } else if (type == VTK_VERTEX || type == VTK_POLY_VERTEX) {
      mesh.points.insert(mesh.points.end(), v.begin(), v.end());
    } else {
      throw InputError(fmt::format("{}: the cell {} is of type {} ({}): an obstacle has triangles, lines, poly-lines and vertices. Write it in these", path,
                                   cell + 1, type, vtkCellTypes::GetClassNameFromTypeId(type)));
    }
  }
  return mesh;
}

}  // namespace traction
