#include "system/dependent_vertices.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

#include "parallel/collective.h"

namespace traction {

namespace {

constexpr int kMasters = 4;

void sort_unique(std::vector<PetscInt>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

constexpr int kNumbers = 2 * kMasters;  // pairs of a master's number and its weight, for one vertex

// The masters that these numbers name; -1 in the places that an independent vertex leaves empty.
std::array<PetscInt, kMasters> masters_in(std::span<const double> shares) {
  std::array<PetscInt, kMasters> masters;
  for (int m = 0; m < kMasters; ++m) masters[m] = m > 0 && shares[2] < 0 ? -1 : static_cast<PetscInt>(shares[2 * m]);
  return masters;
}

std::size_t count_of(const std::array<PetscInt, kMasters>& masters) { return masters[1] < 0 ? 1 : kMasters; }

int number_in(const std::vector<PetscInt>& sorted, PetscInt value) {
  return static_cast<int>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
}

}  // namespace

DependentVertices::DependentVertices(const DistributedMesh& mesh, std::vector<double>& mass)
    : map_(mesh.halo.get()), dependents_(mesh.dependents), is_dependent_(mesh.vertices.size(), 0) {
  any_ = sum_over_ranks(map_->communicator(), static_cast<double>(dependents_.size())) > 0;
  effective_mass_.assign(mass.begin(), mass.begin() + map_->owned());
  if (!any_) return;
  for (const LocalDependent& dependent : dependents_) masters_.insert(masters_.end(), dependent.masters.begin(), dependent.masters.end());
  sort_unique(masters_);
  for (const LocalDependent& dependent : dependents_) {
    std::array<int, kMasters>& numbers = master_numbers_.emplace_back();
    for (int m = 0; m < kMasters; ++m) numbers[m] = number_in(masters_, dependent.masters[m]);
  }
  scatter_ = std::make_shared<const Scatter>(*map_, masters_, 3);
  list_shares();

  std::vector<double> marks(mesh.vertices.size(), 0.0), masses(masters_.size());
  for (const LocalDependent& dependent : dependents_) marks[dependent.vertex] = 1;
  Scatter(*map_, 1).forward(marks);
  std::copy(marks.begin(), marks.end(), is_dependent_.begin());
  pass_mass(mesh, mass);
  effective_mass_.assign(mass.begin(), mass.begin() + map_->owned());
  Scatter(*map_, masters_, 1).forward(mass, masses);
  for (std::size_t d = 0; d < dependents_.size(); ++d) {
    double inverse = 0;
    for (int m = 0; m < kMasters; ++m) inverse += dependents_[d].weights[m] * dependents_[d].weights[m] / masses[master_numbers_[d][m]];
    effective_mass_[dependents_[d].vertex] = 1 / inverse;
  }
}

void DependentVertices::list_shares() {
  shares_.assign(static_cast<std::size_t>(kNumbers) * map_->owned(), -1.0);
  for (int i = 0; i < map_->owned(); ++i) {
    shares_[static_cast<std::size_t>(kNumbers) * i] = static_cast<double>(map_->to_global(i));
    shares_[static_cast<std::size_t>(kNumbers) * i + 1] = 1;
  }
  for (const LocalDependent& dependent : dependents_)
    for (int m = 0; m < kMasters; ++m) {
      double* entry = shares_.data() + static_cast<std::size_t>(kNumbers) * dependent.vertex + 2 * m;
      entry[0] = static_cast<double>(dependent.masters[m]);
      entry[1] = dependent.weights[m];
    }
  std::map<std::array<PetscInt, kMasters>, int> known;
  for (int i = 0; i < map_->owned(); ++i) {
    const auto masters = masters_in(std::span(shares_).subspan(static_cast<std::size_t>(kNumbers) * i, kNumbers));
    const auto [found, is_new] = known.try_emplace(masters, static_cast<int>(masters_of_group_.size()));
    if (is_new) masters_of_group_.push_back(masters);
    groups_.push_back(found->second);
  }
}

// Distributes masses by the weights themselves, which keep the center of mass. Weights are negative where a vertex lies outside its masters' element. If a
// master would lose most of its own mass by this, masses are distributed by the positive weights instead.
void DependentVertices::pass_mass(const DistributedMesh& mesh, std::vector<double>& mass) const {
  constexpr double kLeast = 0.25;  // the least mass that a master keeps, as a part of its own
  std::vector<PetscInt> particles;
  for (const RigidFrame& frame : mesh.frames) particles.insert(particles.end(), frame.particles.begin(), frame.particles.end());
  std::sort(particles.begin(), particles.end());
  const auto with_passed = [&](bool only_positive) {
    std::vector<double> passed(masters_.size(), 0.0), result = mass;
    for (std::size_t d = 0; d < dependents_.size(); ++d) {
      const LocalDependent& dependent = dependents_[d];
      const double own = std::exchange(result[dependent.vertex], 0.0);
      if (std::binary_search(particles.begin(), particles.end(), dependent.masters[0])) continue;
      std::array<double, kMasters> weights = dependent.weights;
      double sum = 0;
      for (double& weight : weights) sum += weight = only_positive ? std::max(weight, 0.0) : weight;
      for (int m = 0; m < kMasters; ++m) passed[master_numbers_[d][m]] += own * weights[m] / sum;
    }
    Scatter(*map_, masters_, 1).add_back(passed, result);
    return result;
  };
  std::vector<double> result = with_passed(false);
  bool is_positive = true;
  for (int i = 0; i < map_->owned(); ++i) is_positive = is_positive && (is_dependent_[i] || result[i] >= kLeast * mass[i]);
  mass = minimum_over_ranks(map_->communicator(), is_positive ? 1 : 0) > 0 ? std::move(result) : with_passed(true);
}

void DependentVertices::spread(Field& field) const {
  if (!any_) return;
  Field masters(static_cast<int>(masters_.size()));
  scatter_->forward(field.values(), masters.values());
  for (std::size_t d = 0; d < dependents_.size(); ++d) {
    Vec3 sum = Vec3::Zero();
    for (int m = 0; m < kMasters; ++m) sum += dependents_[d].weights[m] * masters[master_numbers_[d][m]];
    field[dependents_[d].vertex] = sum;
  }
}

std::vector<Vec3> DependentVertices::first_masters(const Field& field) const {
  if (!any_) return {};
  Field masters(static_cast<int>(masters_.size()));
  scatter_->forward(field.values(), masters.values());
  std::vector<Vec3> result;
  for (const std::array<int, kMasters>& numbers : master_numbers_) result.emplace_back(masters[numbers[0]]);
  return result;
}

void DependentVertices::gather(Field& force) const {
  if (!any_) return;
  Field masters(static_cast<int>(masters_.size()));
  for (std::size_t d = 0; d < dependents_.size(); ++d) {
    auto own = force[dependents_[d].vertex];
    for (int m = 0; m < kMasters; ++m) masters[master_numbers_[d][m]] += dependents_[d].weights[m] * own;
    own.setZero();
  }
  scatter_->add_back(masters.values(), force.values());
}

void DependentVertices::reduce(std::vector<Coupling>& couplings) const {
  if (!any_) return;
  // The masters and weights of each vertex in the couplings, from its owner: pairs of number and weight; an independent vertex has itself.
  const CoupledVertices coupled(*map_, couplings);
  const std::vector<double> of_others = coupled.of_others(shares_, kNumbers);
  const auto shares = [&](int number) {
    const std::size_t own = shares_.size() / kNumbers, at = static_cast<std::size_t>(number);
    return at < own ? std::span(shares_).subspan(kNumbers * at, kNumbers) : std::span(of_others).subspan(kNumbers * (at - own), kNumbers);
  };
  std::vector<int> groups = groups_;  // for each coupled vertex
  std::map<std::array<PetscInt, kMasters>, int> others;
  std::vector<std::array<PetscInt, kMasters>> masters = masters_of_group_;
  for (std::size_t i = 0; i < coupled.others().size(); ++i) {
    const std::array<PetscInt, kMasters> own = masters_in(shares(map_->owned() + static_cast<int>(i)));
    const auto [found, is_new] = others.try_emplace(own, static_cast<int>(masters.size()));
    if (is_new) masters.push_back(own);
    groups.push_back(found->second);
  }
  // The couplings of two groups of vertices that have the same masters, as the vertices of one rigid body do, add up in one small dense matrix.
  struct Sum {
    int row, column;       // groups
    std::size_t first;     // its blocks
    unsigned touched = 0;  // those that have any part in it, bit by bit
  };
  std::vector<Sum> sums;
  std::vector<Mat3> blocks;
  std::unordered_map<std::uint64_t, std::size_t> places;
  for (const Coupling& coupling : couplings) {
    const int row = coupled.number(coupling.row), column = coupled.number(coupling.column);
    const std::uint64_t key = (static_cast<std::uint64_t>(groups[row]) << 32) + static_cast<std::uint64_t>(groups[column]);
    const auto [place, is_new] = places.try_emplace(key, sums.size());
    if (is_new) {
      sums.push_back({groups[row], groups[column], blocks.size()});
      blocks.resize(blocks.size() + count_of(masters[groups[row]]) * count_of(masters[groups[column]]), Mat3::Zero());
    }
    Sum& sum = sums[place->second];
    const std::size_t rows = count_of(masters[sum.row]), columns = count_of(masters[sum.column]);
    const std::span<const double> row_shares = shares(row), column_shares = shares(column);
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c)
        if (const double weight = row_shares[2 * r + 1] * column_shares[2 * c + 1]; weight != 0) {
          blocks[sum.first + columns * r + c] += weight * coupling.block;
          sum.touched |= 1u << (columns * r + c);
        }
  }
  couplings.clear();
  for (const Sum& sum : sums) {
    const std::size_t rows = count_of(masters[sum.row]), columns = count_of(masters[sum.column]);
    for (std::size_t k = 0; k < rows * columns; ++k)
      if (sum.touched >> k & 1u) couplings.push_back({masters[sum.row][k / columns], masters[sum.column][k % columns], blocks[sum.first + k]});
  }
}

std::vector<char> DependentVertices::all_masters_marked(const std::vector<char>& marks) const {
  std::vector<char> result(is_dependent_.size(), 0);
  if (!any_) return result;
  const std::vector<double> numbers(marks.begin(), marks.end());
  std::vector<double> masters(masters_.size());
  Scatter(*map_, masters_, 1).forward(numbers, masters);
  for (std::size_t d = 0; d < dependents_.size(); ++d)
    result[dependents_[d].vertex] = std::all_of(master_numbers_[d].begin(), master_numbers_[d].end(), [&](int number) { return masters[number] != 0; }) ? 1 : 0;
  return result;
}

}  // namespace traction
