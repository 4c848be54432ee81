#include "scene/write_settings.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace traction {

namespace {

Setting bare(std::string text) {
  Setting setting;
  setting.kind = Setting::Kind::scalar;
  setting.text = std::move(text);
  return setting;
}

}  // namespace

Setting written(bool value) { return bare(value ? "true" : "false"); }
Setting written(int value) { return bare(std::to_string(value)); }

Setting written(double value) {
  std::array<char, 32> buffer;
  std::string digits(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr);
  // Readers of YAML 1.1, such as Python's, read 1e-04 as text.
  const std::size_t exponent = digits.find('e');
  if (exponent != std::string::npos && digits.find('.') == std::string::npos) digits.insert(exponent, ".0");
  return bare(digits);
}

Setting written(std::string_view text) {
  Setting setting = bare(std::string(text));
  setting.quoted = true;
  return setting;
}

Setting written(const char* text) { return written(std::string_view(text)); }

Setting written(const Vec3& vector) {
  Setting list = empty_list();
  for (const double component : vector) list.items.push_back(written(component));
  return list;
}

Setting empty_map() {
  Setting setting;
  setting.kind = Setting::Kind::map;
  return setting;
}

Setting empty_list() {
  Setting setting;
  setting.kind = Setting::Kind::list;
  return setting;
}

bool same_when_printed(const Setting& a, const Setting& b) {
  return a.kind == b.kind && a.text == b.text && a.keys == b.keys &&
         std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), same_when_printed);
}

}  // namespace traction
