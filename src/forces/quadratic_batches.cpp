#include "forces/quadratic_batches.h"

#include <algorithm>

namespace traction {

QuadraticBatches::QuadraticBatches(const std::vector<std::array<int, 10>>& vertices, const std::vector<Vec3>& rest, int interior,
                                   const std::vector<char>& owned, std::shared_ptr<const BlockPattern> pattern)
    : sums_(pattern->halo().local(), Four{}) {
  const auto add_batches = [&](int begin, int end, std::vector<int>& touched) {
    for (int first = begin; first < end; first += kPackWidth) {
      QuadraticBatch& batch = batches_.emplace_back();
      batch.first = first;
      batch.count = std::min(kPackWidth, end - first);
      Corner10<Pack> places;
      for (int lane = 0; lane < kPackWidth; ++lane) {
        const int number = batch.element(lane);
        const auto& v = vertices[number];
        batch.is_owned.set(lane, lane < batch.count && owned[number] ? 1 : 0);
        int pair = 0;
        for (int a = 0; a < 10; ++a) {
          batch.vertices[a][lane] = v[a];
          for (int i = 0; i < 3; ++i) places[a][i].set(lane, rest[v[a]][i]);
          for (int b = a + 1; b < 10; ++b, ++pair) {
            batch.edges[pair][lane] = pattern->find(v[a], v[b]);
            batch.turned[pair][lane] = v[b] < v[a];
          }
        }
        touched.insert(touched.end(), v.begin(), v.end());
      }
      static_cast<QuadraticElementOf<Pack>&>(batch) = QuadraticElementOf<Pack>::at_rest(places);
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  };
  add_batches(0, interior, touched_[0]);
  interior_ = batches_.size();
  add_batches(interior, static_cast<int>(vertices.size()), touched_[1]);
}

std::span<const QuadraticBatch> QuadraticBatches::of(Zone zone) const {
  const std::span<const QuadraticBatch> all(batches_);
  return zone == Zone::interior ? all.first(interior_) : all.subspan(interior_);
}

}  // namespace traction
