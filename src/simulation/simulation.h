// Builds the objects that simulate a scene.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "contact/contact_counts.h"
#include "contact/prescribed_meetings.h"
#include "dynamics/driver.h"
#include "forces/rod_bending.h"
#include "forces/shell_bending.h"
#include "forces/spring_damper.h"
#include "forces/volume_penalty.h"
#include "mesh_partition/distribute.h"
#include "scene/scene.h"
#include "simulation/attachments.h"
#include "simulation/build_joints.h"
#include "simulation/build_loads.h"
#include "simulation/build_solid.h"
#include "system/system.h"

namespace traction {

class EdgesAndFaces;
class PressureContact;

/// The part of the history about a body.
struct BodyMonitor {
  std::string name;
  std::vector<std::shared_ptr<VolumePenalty>> volumes;
  std::vector<LoadMonitor> loads;
  double rigid_modulus = 0;  ///< of the tetrahedron between a rigid body's particles [Pa]; 0 for other bodies

  bool is_rigid() const { return rigid_modulus > 0; }
};

/// Members are in the order of construction: each refers to the ones before it.
struct Simulation {
  Scene scene;
  PartitionQuality quality;     ///< on rank 0
  double mesh_fingerprint = 0;  ///< equal for meshes with equal elements
  double mesh_spread = 0;       ///< sum of the squared distances of all vertices at rest from their mean [m^2]; shows whether a mesh was moved
  std::shared_ptr<const DistributedMesh> mesh;
  std::unique_ptr<System> system;
  std::vector<BodyMonitor> bodies;
  std::vector<AveragedRegion> averaged;
  std::vector<SoftenedElements> softened;
  std::vector<std::shared_ptr<const ShellBending>> yielding_shells;
  std::shared_ptr<const RodBending> rods;        ///< null: the scene has none
  std::shared_ptr<const SpringDampers> springs;  ///< null: the scene has none
  AttachmentMonitor attachments;
  JointMonitor joints;
  std::vector<std::shared_ptr<ContactGroup>> contacts;                    ///< first those with a thickness, then those of pressure fields
  std::map<std::string, std::shared_ptr<EdgesAndFaces>> edges_and_faces;  ///< of contacts between two sides, by the contact's name
  std::vector<std::shared_ptr<PressureContact>> pressures;
  std::vector<std::shared_ptr<PrescribedMeetings>> meetings;  ///< for contacts whose surfaces may run into each other as prescribed
  std::vector<double> contact_area;                           ///< for each owned vertex on a contact surface, else 0 [m^2]
  ContactCounts contact_counts;
  std::vector<std::string> warnings;  ///< sentences for the user about doubtful parts of the scene
  std::unique_ptr<Driver> loop;

  void add_warnings(std::vector<std::string> sentences);
};

/// Partitions and distributes the scene's mesh (from load_scene_mesh) and builds everything the scene asks for. `contacts_per_step`: of each vertex of
/// the mesh, as for contact_costs. Rank 0 passes mesh and contacts, the others' are ignored. Throws InputError on all ranks alike. @collective
Simulation build_simulation(MPI_Comm communicator, const Scene& scene, Mesh mesh, const std::vector<double>& contacts_per_step = {});

}  // namespace traction
