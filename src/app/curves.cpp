#include "app/curves.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/damping_curves.h"
#include "app/material_curves.h"
#include "app/material_stability.h"
#include "app/old_results.h"
#include "app/output_folder.h"
#include "errors.h"
#include "output/slab_file.h"
#include "parallel/collective.h"

namespace traction {

void write_damping_curves(MPI_Comm communicator, const std::string& directory) {
  on_first_rank(communicator, [&] {
    refuse_foreign_tables(directory, {{"damping.csv", "integrator,omega_h,"}}, "damping.png");
    make_directory(directory);
    std::string table = "integrator,omega_h,d_over_omega\n";
    for (const DampingPoint& point : damping_curves()) table += fmt::format("{},{:.10g},{:.12g}\n", point.integrator, point.omega_h, point.d_over_omega);
    replace_text_file(directory + "/damping.csv", table);
    draw("plot_damping.py", directory);
  });
}

void write_material_curves(MPI_Comm communicator, const Scene& scene, const std::string& directory, double least, double most) {
  constexpr double kMost = 1000;  // far beyond the stretches that any rubber bears
  if (!(least > 0 && least <= 1 && most >= 1 && most <= kMost))
    throw InputError(
        fmt::format("command line: --stretch: the least stretch must lie above 0 and not above 1, the largest between 1 and {}; give two such numbers", kMost));
  on_first_rank(communicator, [&] {
    refuse_foreign_tables(directory, {{"materials.csv", "material,loading,"}, {"relaxation.csv", "material,time,"}, {"cyclic.csv", "material,cycle,"}},
                          "materials.png");
    const std::vector<MaterialPoint> points = material_curves(scene, least, most);
    if (points.empty()) throw InputError("the scene has no solid whose material could be loaded; give a body with `solid`");
    for (const std::string& sentence : materials_that_give_way(points)) spdlog::warn("{}", sentence);
    for (const std::string& sentence : curves_cut_short(points, least, most)) spdlog::warn("{}", sentence);
    make_directory(directory);
    replace_text_file(directory + "/materials.csv", table_of(points));
    replace_text_file(directory + "/relaxation.csv", table_of(relaxation_curves(scene)));
    replace_text_file(directory + "/cyclic.csv", table_of(cyclic_curves(scene, most)));
    draw("plot_material.py", directory);
  });
}

}  // namespace traction
