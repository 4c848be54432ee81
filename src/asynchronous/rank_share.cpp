#include "asynchronous/rank_share.h"

#include <algorithm>
#include <numeric>

#include "mesh_partition/partition_graph.h"

namespace traction {

namespace {

constexpr int kNumbersOfVertex = 7;  // position, velocity, time
constexpr double kCostOfLink = 0.3;  // in events of a mean potential

}  // namespace

RankShare::RankShare(MPI_Comm communicator, const Potentials& potentials, std::vector<double> rates, int vertices)
    : communicator_(communicator), vertices_(vertices), potentials_(potentials), rates_(std::move(rates)), first_(static_cast<std::size_t>(vertices) + 1, 0) {
  MPI_Comm_size(communicator, &ranks_);
  MPI_Comm_rank(communicator, &rank_);
  for (int p = 0; p < potentials.count(); ++p)
    for (const int vertex : potentials.stencil(p)) ++first_[static_cast<std::size_t>(vertex) + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  std::vector<std::size_t> next = first_;
  potentials_of_.resize(first_.back());
  for (int p = 0; p < potentials.count(); ++p)
    for (const int vertex : potentials.stencil(p)) potentials_of_[next[static_cast<std::size_t>(vertex)]++] = p;
  if (!potentials.remembering().empty()) remembering_.resize(static_cast<std::size_t>(vertices));
  for (const int p : potentials.remembering()) remembering_[static_cast<std::size_t>(potentials.stencil(p).front())].push_back(p);
}

std::size_t RankShare::count_numbers(const std::vector<int>& list) const {
  std::size_t count = kNumbersOfVertex * list.size();
  if (!remembering_.empty())
    for (const int vertex : list)
      for (const int p : remembering_[static_cast<std::size_t>(vertex)]) count += potentials_.memory(p).size();
  return count;
}

std::vector<double> RankShare::packed(const MovingVertices& vertices, const std::vector<int>& list) const {
  std::vector<double> numbers;
  numbers.reserve(count_numbers(list));
  for (const int vertex : list) {
    const Vec3 q = vertices.state().q[vertex], v = vertices.state().v[vertex];
    numbers.insert(numbers.end(), {q.x(), q.y(), q.z(), v.x(), v.y(), v.z(), vertices.time_of(vertex)});
    if (remembering_.empty()) continue;
    for (const int p : remembering_[static_cast<std::size_t>(vertex)]) {
      const std::span<double> memory = potentials_.memory(p);
      numbers.insert(numbers.end(), memory.begin(), memory.end());
    }
  }
  return numbers;
}

void RankShare::unpack(const double* numbers, const std::vector<int>& list, MovingVertices& vertices) const {
  for (const int vertex : list) {
    vertices.place(vertex, Vec3(numbers[0], numbers[1], numbers[2]), Vec3(numbers[3], numbers[4], numbers[5]), numbers[6]);
    numbers += kNumbersOfVertex;
    if (remembering_.empty()) continue;
    for (const int p : remembering_[static_cast<std::size_t>(vertex)])
      for (double& number : potentials_.memory(p)) number = *numbers++;
  }
}

void RankShare::divide(const std::vector<Link>& links) {
  std::vector<double> costs(static_cast<std::size_t>(vertices_), 0.0);
  std::vector<GraphLink> edges;
  double rates = 0;
  int elements = 0;
  for (int p = 0; p < potentials_.count(); ++p) {
    if (potentials_.is_common(p)) continue;
    const auto stencil = potentials_.stencil(p);
    const double rate = rates_[static_cast<std::size_t>(p)];
    rates += rate;
    ++elements;
    for (const int vertex : stencil) costs[static_cast<std::size_t>(vertex)] += rate / static_cast<double>(stencil.size());
    for (std::size_t a = 0; a < stencil.size(); ++a)
      for (std::size_t b = a + 1; b < stencil.size(); ++b) edges.push_back({{stencil[a], stencil[b]}, rate});
  }
  const double mean = elements > 0 ? rates / elements : 1;
  for (const Link& link : links)
    for (int a = 0; a < 4; ++a) {
      if (!is_vertex(link[a])) continue;
      costs[static_cast<std::size_t>(link[a])] += kCostOfLink * mean / 4;
      for (int b = a + 1; b < 4; ++b)
        if (is_vertex(link[b])) edges.push_back({{link[a], link[b]}, mean});
    }
  Graph graph = graph_of(std::move(edges), costs);
  const std::vector<int> owners = partition_graph(graph, ranks_);
  owned_by_.assign(static_cast<std::size_t>(ranks_), {});
  for (std::size_t i = 0; i < owners.size(); ++i) owned_by_[static_cast<std::size_t>(owners[i])].push_back(static_cast<int>(i));
}

std::vector<char> RankShare::owned() const {
  std::vector<char> marks(static_cast<std::size_t>(vertices_), 0);
  for (const int vertex : owned_by_[static_cast<std::size_t>(rank_)]) marks[static_cast<std::size_t>(vertex)] = 1;
  return marks;
}

std::vector<char> RankShare::with_rings(int rings, const std::vector<Link>& links) const {
  std::vector<char> marks = owned();
  std::vector<int> front = owned_by_[static_cast<std::size_t>(rank_)];
  for (int ring = 0; ring < rings && !front.empty(); ++ring) {
    std::vector<int> next;
    const auto add = [&](int vertex) {
      if (marks[static_cast<std::size_t>(vertex)]) return;
      marks[static_cast<std::size_t>(vertex)] = 2;
      next.push_back(vertex);
    };
    for (const Link& link : links) {
      const bool joined = std::any_of(link.begin(), link.end(), [&](int point) { return is_vertex(point) && marks[static_cast<std::size_t>(point)] == 1; });
      if (!joined) continue;
      for (const int point : link)
        if (is_vertex(point)) add(point);
    }
    for (const int vertex : front)
      for (std::size_t k = first_[static_cast<std::size_t>(vertex)]; k < first_[static_cast<std::size_t>(vertex) + 1]; ++k)
        if (!potentials_.is_common(potentials_of_[k]))
          for (const int other : potentials_.stencil(potentials_of_[k])) add(other);
    for (const int vertex : next) marks[static_cast<std::size_t>(vertex)] = 1;
    front = std::move(next);
  }
  return marks;
}

void RankShare::gather(MovingVertices& vertices) const {
  std::vector<double> own = packed(vertices, owned_by_[static_cast<std::size_t>(rank_)]);
  std::vector<int> counts, places;
  int place = 0;
  for (const auto& owned : owned_by_) {
    counts.push_back(static_cast<int>(count_numbers(owned)));
    places.push_back(place);
    place += counts.back();
  }
  std::vector<double> all(static_cast<std::size_t>(place));
  MPI_Allgatherv(own.data(), static_cast<int>(own.size()), MPI_DOUBLE, all.data(), counts.data(), places.data(), MPI_DOUBLE, communicator_);
  for (int rank = 0; rank < ranks_; ++rank)
    if (rank != rank_) unpack(&all[static_cast<std::size_t>(places[static_cast<std::size_t>(rank)])], owned_by_[static_cast<std::size_t>(rank)], vertices);
}

void RankShare::require(const std::vector<char>& needed) {
  std::vector<char> all(static_cast<std::size_t>(ranks_) * needed.size());
  MPI_Allgather(needed.data(), vertices_, MPI_CHAR, all.data(), vertices_, MPI_CHAR, communicator_);
  const auto wanted = [&](int by, int of) {
    std::vector<int> list;
    for (const int vertex : owned_by_[static_cast<std::size_t>(of)])
      if (all[static_cast<std::size_t>(by) * needed.size() + static_cast<std::size_t>(vertex)]) list.push_back(vertex);
    return list;
  };
  neighbours_.clear();
  for (int rank = 0; rank < ranks_; ++rank) {
    if (rank == rank_) continue;
    Neighbour neighbour{rank, wanted(rank, rank_), wanted(rank_, rank)};
    if (!neighbour.sends.empty() || !neighbour.receives.empty()) neighbours_.push_back(std::move(neighbour));
  }
}

void RankShare::exchange(MovingVertices& vertices) const {
  std::vector<std::vector<double>> sent, received;
  std::vector<MPI_Request> requests(2 * neighbours_.size(), MPI_REQUEST_NULL);
  auto request = requests.begin();
  for (const Neighbour& neighbour : neighbours_) {
    received.emplace_back(count_numbers(neighbour.receives));
    MPI_Irecv(received.back().data(), static_cast<int>(received.back().size()), MPI_DOUBLE, neighbour.rank, 0, communicator_, &*request++);
  }
  for (const Neighbour& neighbour : neighbours_) {
    sent.push_back(packed(vertices, neighbour.sends));
    MPI_Isend(sent.back().data(), static_cast<int>(sent.back().size()), MPI_DOUBLE, neighbour.rank, 0, communicator_, &*request++);
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  for (std::size_t k = 0; k < neighbours_.size(); ++k) unpack(received[k].data(), neighbours_[k].receives, vertices);
}

}  // namespace traction
