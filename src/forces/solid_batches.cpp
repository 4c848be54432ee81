#include "forces/solid_batches.h"

#include <algorithm>

namespace traction {

SolidBatches::SolidBatches(const std::vector<SolidElement>& elements, int interior_elements, const std::vector<char>& owned,
                           std::shared_ptr<const BlockPattern> pattern)
    : sums_(pattern->halo().local(), Four{}) {
  const int count = static_cast<int>(elements.size());
  count_ = count;
  interior_elements_ = interior_elements;
  const auto add_batches = [&](int begin, int end, std::vector<int>& touched) {
    for (int first = begin; first < end; first += kPackWidth) {
      SolidBatch& batch = batches_.emplace_back();
      batch.first = first;
      batch.count = std::min(kPackWidth, end - first);
      for (int lane = 0; lane < kPackWidth; ++lane) {
        const bool filled = lane < batch.count;
        const int number = batch.element(lane);
        const SolidElement& element = elements[number];
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) batch.inverse_rest_shape(i, j).set(lane, element.inverse_rest_shape(i, j));
        batch.volume.set(lane, filled ? element.volume : 0);
        batch.owned_volume.set(lane, filled && owned[number] ? element.volume : 0);
        for (int a = 0; a < 4; ++a) batch.vertices[a][lane] = element.vertices[a];
        for (int e = 0; e < 6; ++e) batch.edges[e][lane] = pattern->find(element.vertices[kTetrahedronEdges[e][0]], element.vertices[kTetrahedronEdges[e][1]]);
        touched.insert(touched.end(), element.vertices.begin(), element.vertices.end());
      }
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  };
  add_batches(0, interior_elements, touched_[0]);
  interior_ = batches_.size();
  add_batches(interior_elements, count, touched_[1]);
}

std::span<const SolidBatch> SolidBatches::of(Zone zone) const {
  const std::span<const SolidBatch> all(batches_);
  return zone == Zone::interior ? all.first(interior_) : all.subspan(interior_);
}

std::array<int, 4> SolidBatches::vertices(int element) const {
  const auto [batch, lane] = place_of(element);
  const auto& all = batches_[batch].vertices;
  return {all[0][lane], all[1][lane], all[2][lane], all[3][lane]};
}

SolidBatches::Single SolidBatches::single(int element) const {
  const auto [batch, lane] = place_of(element);
  Single result;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) result.element.inverse_rest_shape(i, j) = batches_[batch].inverse_rest_shape(i, j)[lane];
  result.element.volume = batches_[batch].volume[lane];
  result.vertices = vertices(element);
  return result;
}

}  // namespace traction
