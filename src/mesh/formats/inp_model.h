// All that an Abaqus .inp file lists of a mesh, as the file lists it. Internal to this folder.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "mesh/formats/inp_part.h"

namespace traction {

/// Reads the keywords that make meshes: *NODE, *ELEMENT, *NSET, *ELSET, *SURFACE, *PART, *ASSEMBLY, *INSTANCE and their ends. Keywords that would change the
/// mesh are refused; all others are skipped.
class InpModel {
 public:
  explicit InpModel(const std::string& path);

  const InpFile& file() const { return file_; }
  const std::vector<InpPart>& instances() const { return instances_; }
  const InpPart& outside() const { return outside_; }  ///< everything outside of parts and instances, which is all of a flat file

 private:
  void read_keyword();
  void read_nodes();
  void read_elements();
  void read_set(bool of_nodes);
  void read_surface();
  void begin_part();
  void begin_instance();
  void end(const char* what, InpPart*& inside);
  void check_end() const;

  InpPart& current() { return instance_ ? *instance_ : part_ ? *part_ : outside_; }
  int find_instance(const std::string& name) const;  ///< throws if it does not exist
  /// Appends the label, or the members of the set defined above, that a word of the line names. Names are those of the current part or, if `instance` is not
  /// negative, of this instance.
  void add_reference(std::size_t word, bool of_nodes, int instance, std::vector<InpRange>& ranges) const;
  void check_name(const std::string& name) const;
  InpSet& set(std::map<std::string, InpSet>& sets, const std::string& name) const;

  InpFile file_;
  InpPart outside_;
  std::map<std::string, InpPart> parts_;  // by their names in capitals
  std::vector<InpPart> instances_;
  InpPart *part_ = nullptr, *instance_ = nullptr;  // where the keyword is
  bool in_assembly_ = false;
};

}  // namespace traction
