#include "scene/setting.h"

#include <yaml-cpp/anchor.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "errors.h"
#include "scene/yaml_mistakes.h"

namespace traction {

namespace {

struct Extent {
  std::size_t count = 1;
  std::size_t depth = 0;  // nesting depth of lists and maps
};

Extent extent(const Setting& setting) {
  Extent total;
  if (setting.kind == Setting::Kind::list || setting.kind == Setting::Kind::map) total.depth = 1;
  for (const Setting& item : setting.items) {
    const Extent part = extent(item);
    total.count += part.count;
    total.depth = std::max(total.depth, part.depth + 1);
  }
  return total;
}

// Builds the tree from the parser's events. yaml-cpp's own nodes cannot be used: they do not report a key given twice, and they share aliased nodes, so that an
// override of one place would change the others.
class SettingBuilder : public YAML::EventHandler {
 public:
  explicit SettingBuilder(const std::function<std::string(int)>& place_of_line) : place_of_line_(place_of_line) {}

  Setting take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override { root_.place = place(mark); }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    count(mark, 1);
    complete(make(mark, Setting::Kind::nothing), anchor, mark);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value) override {
    count(mark, 1);
    Setting scalar = make(mark, Setting::Kind::scalar);
    scalar.text = value;
    scalar.quoted = tag == "!";
    complete(std::move(scalar), anchor, mark);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchored_.find(anchor);
    if (found == anchored_.end()) fail(mark, "an alias is inside the value that it refers to; write the value out");
    const Extent added = extent(found->second);
    count(mark, added.count);
    check_depth(mark, added.depth);
    Setting copy = found->second;
    copy.place = place(mark);
    complete(std::move(copy), 0, mark);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(mark, anchor, Setting::Kind::list);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
    open(mark, anchor, Setting::Kind::map);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {
    Setting setting;
    YAML::anchor_t anchor = 0;
    YAML::Mark mark;
    bool has_key = false;
    std::string key;
    std::string key_place;
    std::unordered_map<std::string, std::string> key_places;
  };

  std::string place(const YAML::Mark& mark) const { return place_of_line_(mark.line + 1); }

  Setting make(const YAML::Mark& mark, Setting::Kind kind) const {
    Setting setting;
    setting.kind = kind;
    setting.place = place(mark);
    return setting;
  }

  std::string path() const {
    std::string path;
    for (const Frame& frame : frames_) {
      if (frame.setting.kind == Setting::Kind::list) path = join_path(path, std::to_string(frame.setting.items.size()));
      if (frame.has_key) path = join_path(path, frame.key);
    }
    return path;
  }

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& what) const {
    const std::string here = path();
    throw InputError(place(mark) + ": " + (here.empty() ? "" : here + ": ") + what);
  }

  void count(const YAML::Mark& mark, std::size_t added) {
    count_ += added;
    if (count_ > kMaximumSettingCount) {
      fail(mark, "more than " + std::to_string(kMaximumSettingCount) + " values, aliases included; shorten the scene");
    }
  }

  void check_depth(const YAML::Mark& mark, std::size_t added) const {
    if (frames_.size() + added > kMaximumSettingDepth) {
      fail(mark, "nested more than " + std::to_string(kMaximumSettingDepth) + " levels deep; no setting needs that many");
    }
  }

  void open(const YAML::Mark& mark, YAML::anchor_t anchor, Setting::Kind kind) {
    count(mark, 1);
    check_depth(mark, 1);
    Frame frame;
    frame.setting = make(mark, kind);
    frame.anchor = anchor;
    frame.mark = mark;
    frames_.push_back(std::move(frame));
  }

  void close() {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    complete(std::move(frame.setting), frame.anchor, frame.mark);
  }

  void complete(Setting value, YAML::anchor_t anchor, const YAML::Mark& mark) {
    if (anchor != 0) anchored_[anchor] = value;
    if (frames_.empty()) {
      root_ = std::move(value);
      return;
    }
    Frame& frame = frames_.back();
    if (frame.setting.kind == Setting::Kind::list) {
      frame.setting.items.push_back(std::move(value));
    } else if (!frame.has_key) {
      take_key(frame, value, mark);
    } else {
      value.place = frame.key_place;
      frame.setting.add(std::move(frame.key), std::move(value));
      frame.has_key = false;
    }
  }

  void take_key(Frame& frame, const Setting& key, const YAML::Mark& mark) {
    if (key.kind != Setting::Kind::scalar) fail(mark, "a key must be a name; put the name before the colon");
    const auto [earlier, is_new] = frame.key_places.emplace(key.text, key.place);
    frame.has_key = true;
    frame.key = key.text;
    frame.key_place = key.place;
    if (key.text == "<<" && !key.quoted)
      fail(mark, "'<<' is YAML's merge key, which scenes do not take; write out here the keys that it would merge. An alias (*name) can replace a whole value");
    if (!is_new) fail(mark, "the key is given twice (first at " + earlier->second + "); remove one of them");
  }

  const std::function<std::string(int)>& place_of_line_;
  std::vector<Frame> frames_;
  std::map<YAML::anchor_t, Setting> anchored_;
  std::size_t count_ = 0;
  Setting root_;
};

}  // namespace

const Setting* Setting::find(std::string_view key) const {
  const auto found = std::find(keys.begin(), keys.end(), key);
  return found == keys.end() ? nullptr : &items[found - keys.begin()];
}

Setting* Setting::find(std::string_view key) { return const_cast<Setting*>(std::as_const(*this).find(key)); }

Setting& Setting::add(std::string key, Setting value) {
  kind = Kind::map;
  keys.push_back(std::move(key));
  return items.emplace_back(std::move(value));
}

Setting parse_setting(const std::string& text, const std::function<std::string(int line)>& place_of_line) {
  SettingBuilder builder(place_of_line);
  Setting root;
  root.place = place_of_line(1);
  try {
    std::istringstream stream(text);
    YAML::Parser parser(stream);
    if (parser.HandleNextDocument(builder)) {
      root = builder.take_root();
      SettingBuilder second(place_of_line);
      if (parser.HandleNextDocument(second)) {
        if (const auto mistake = percent_comment(text)) throw InputError(place_of_line(mistake->line) + ": " + mistake->what);
        throw InputError(second.take_root().place + ": a second YAML document begins here; keep one document per file");
      }
    }
  } catch (const YAML::Exception& error) {
    const int line = error.mark.is_null() ? 1 : error.mark.line + 1;
    if (const auto mistake = probable_mistake(text, line)) throw InputError(place_of_line(mistake->line) + ": " + mistake->what);
    throw InputError(place_of_line(line) + ": not valid YAML: " + excerpt(error.msg) + "; check brackets, quotes and indentation here and on the lines before");
  }
  return root;
}

std::string join_path(const std::string& path, std::string_view key) { return path.empty() ? excerpt(key) : path + "." + excerpt(key); }

std::string with_missing_space(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == 0 || colon == std::string_view::npos || colon + 1 == text.size() || std::string_view(" \t/\\:").find(text[colon + 1]) != std::string_view::npos)
    return {};
  const auto is_of_a_name = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
  if (!std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon), is_of_a_name)) return {};
  return std::string(text.substr(0, colon + 1)) + " " + std::string(text.substr(colon + 1));
}

std::string excerpt(std::string_view text, std::size_t maximum_length) {
  const bool is_cut = text.size() > maximum_length;
  if (is_cut) {
    text = text.substr(0, maximum_length);
    // The cut must not separate the start of a UTF-8 character from its rest.
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.remove_suffix(1);
    if (!text.empty() && static_cast<unsigned char>(text.back()) >= 0xC0) text.remove_suffix(1);
  }
  std::string shown(text);
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
  return is_cut ? shown + "..." : shown;
}

std::string quoted_excerpt(std::string_view text) { return std::string("'").append(excerpt(text)).append("'"); }

}  // namespace traction
