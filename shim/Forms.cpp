#include "Forms.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/jit_type.h>

#include <unordered_map>

namespace torch_pjrt {
namespace {

using c10::FunctionSchema;
using c10::TypeKind;

// One schema argument as a letter of op.h in its canonical spelling (s f i I stand for their static twins too).
struct Token {
  char letter;
  bool optional;
  bool operator==(const Token& other) const { return letter == other.letter && optional == other.optional; }
};

char list_letter(const c10::Type& element) {
  switch (element.kind()) {
    case TypeKind::TensorType: return 'L';
    case TypeKind::NumberType: return 'X';
    case TypeKind::IntType:
    case TypeKind::SymIntType: return 'I';
    case TypeKind::BoolType: return 'B';
    case TypeKind::FloatType: return 'F';
    case TypeKind::OptionalType:
      return element.castRaw<c10::OptionalType>()->getElementType()->kind() == TypeKind::TensorType ? 'O' : '-';
    default: return '-';
  }
}

Token token_of(const c10::Type& type) {
  switch (type.kind()) {
    case TypeKind::OptionalType: return {token_of(*type.castRaw<c10::OptionalType>()->getElementType()).letter, true};
    case TypeKind::ListType: return {list_letter(*type.castRaw<c10::ListType>()->getElementType()), false};
    case TypeKind::TensorType: return {'T', false};
    case TypeKind::NumberType: return {'s', false};
    case TypeKind::FloatType: return {'f', false};
    case TypeKind::IntType:
    case TypeKind::SymIntType: return {'i', false};
    case TypeKind::BoolType: return {'b', false};
    case TypeKind::ScalarTypeType: return {'d', false};
    case TypeKind::LayoutType: return {'l', false};
    case TypeKind::MemoryFormatType: return {'m', false};
    case TypeKind::DeviceObjType: return {'D', false};
    case TypeKind::StringType: return {'S', false};
    case TypeKind::GeneratorType: return {'G', false};
    default: return {'-', false};
  }
}

bool is_written(const c10::Argument& argument) { return argument.alias_info() && argument.alias_info()->isWrite(); }

// Tokens of the arguments that are not out arguments.
std::vector<Token> tokens_of(const FunctionSchema& schema) {
  std::vector<Token> tokens;
  for (const auto& argument : schema.arguments())
    if (!argument.is_out()) tokens.push_back(token_of(*argument.real_type()));
  return tokens;
}

char canonical(char letter) {
  switch (letter) {
    case 'a':
    case 'x': return 's';
    case 'y': return 'f';
    case 'n': return 'i';
    case 'N': return 'I';
    default: return letter;
  }
}

std::string spell(const std::vector<Token>& tokens) {
  std::string text;
  for (const Token& token : tokens) {
    text += token.letter;
    if (token.optional) text += '?';
  }
  return text;
}

// Position of a factory's dtype?, layout?, device?, pin_memory? in |tokens|, -1 if there are none.
int options_at(const std::vector<Token>& tokens) {
  static const std::vector<Token> options{{'d', true}, {'l', true}, {'D', true}, {'b', true}};
  for (size_t i = 0; i + options.size() <= tokens.size(); i++)
    if (std::equal(options.begin(), options.end(), tokens.begin() + static_cast<std::ptrdiff_t>(i))) return static_cast<int>(i);
  return -1;
}

// All overloads by base name ("aten::add"); built once, used while registering.
const std::vector<c10::OperatorHandle>& overloads(const std::string& base) {
  static const auto* index = [] {
    auto* map = new std::unordered_map<std::string, std::vector<c10::OperatorHandle>>;
    for (const auto& name : c10::Dispatcher::singleton().getAllOpNames())
      if (name.name.rfind("aten::", 0) == 0)
        if (auto op = c10::Dispatcher::singleton().findSchema(name)) (*map)[name.name].push_back(*op);
    return map;
  }();
  static const std::vector<c10::OperatorHandle> none;
  const auto found = index->find(base);
  return found == index->end() ? none : found->second;
}

std::string short_name(const FunctionSchema& schema) {
  std::string name = schema.name().substr(6);
  return schema.overload_name().empty() ? name : name + "." + schema.overload_name();
}

Form base_form(int row, const FunctionSchema& functional) {
  Form form{};
  form.row = row;
  form.entry = at_row_get(row);
  form.kind = Form::kFunctional;
  form.name = short_name(functional);
  for (const char* c = form.entry->signature ? form.entry->signature : ""; *c; c++)
    if (*c != '?') form.letters[form.nargs++] = *c;
  const auto tokens = tokens_of(functional);
  form.nstack = static_cast<uint8_t>(functional.arguments().size());
  form.noutputs = static_cast<uint8_t>(functional.returns().size());
  form.returns = form.noutputs > 0;
  form.listed = form.entry->kind == AT_FOREACH;
  form.dtype_arg = static_cast<int8_t>(options_at(tokens));
  for (int i = 0; i < form.nargs; i++) form.where[i] = static_cast<int8_t>(i);
  return form;
}

// The in-place form if |schema| is one of a row with |functional|'s arguments and as many outputs as it writes.
bool fit_inplace(const FunctionSchema& schema, const std::vector<Token>& tokens, Form& form) {
  if (tokens_of(schema) != tokens) return false;
  int written = 0;
  for (size_t i = 0; i < schema.arguments().size(); i++) {
    const auto& argument = schema.arguments()[i];
    if (argument.is_out()) return false;
    if (!is_written(argument)) continue;
    if (written == form.noutputs) return false;
    form.writes[written++] = static_cast<int8_t>(i);
    form.written |= 1U << i;
  }
  if (written == 0 || written != form.noutputs) return false;
  form.kind = Form::kInplace;
  form.name = short_name(schema);
  form.returns = !schema.returns().empty();
  return true;
}

bool fit_out(const FunctionSchema& schema, std::vector<Token> tokens, Form& form) {
  if (form.dtype_arg >= 0) tokens.erase(tokens.begin() + form.dtype_arg, tokens.begin() + form.dtype_arg + 4);
  if (tokens_of(schema) != tokens) return false;
  int nouts = 0;
  for (size_t i = 0; i < schema.arguments().size(); i++) {
    const auto& argument = schema.arguments()[i];
    if (!is_written(argument)) continue;
    if (!argument.is_out() || nouts == form.noutputs) return false;
    form.outs[nouts++] = static_cast<int8_t>(i);
  }
  if (nouts != form.noutputs) return false;
  form.kind = Form::kOut;
  form.name = short_name(schema);
  form.nstack = static_cast<uint8_t>(schema.arguments().size());
  form.returns = !schema.returns().empty();
  for (int i = 0, at = 0; i < form.nargs; i++) {
    const bool option = form.dtype_arg >= 0 && i >= form.dtype_arg && i < form.dtype_arg + 4;
    form.where[i] = !option ? static_cast<int8_t>(at++) : i == form.dtype_arg ? int8_t{kDtypeOfOut} : int8_t{kAbsent};
  }
  return true;
}

bool same_names(const FunctionSchema& a, const FunctionSchema& b) {
  const size_t n = std::min(a.arguments().size(), b.arguments().size());
  for (size_t i = 0; i < n; i++)
    if (!b.arguments()[i].is_out() && a.arguments()[i].name() != b.arguments()[i].name()) return false;
  return true;
}

// The overload of |base| that |fit| accepts; equal argument names are preferred where several do.
template <class Fit>
void add_twin(const std::string& base, const FunctionSchema& functional, const Form& plain, Fit fit, std::vector<Form>& forms) {
  const auto tokens = tokens_of(functional);
  bool found = false, named = false;
  Form best;
  for (const auto& op : overloads(base)) {
    Form form = plain;
    if (!fit(op.schema(), tokens, form)) continue;
    const bool names = same_names(functional, op.schema());
    if (found && (named || !names)) continue;
    best = form;
    found = true;
    named = names;
  }
  if (found) forms.push_back(best);
}

c10::OperatorHandle find(const at_row& row) {
  const std::string name = row.name;
  const size_t dot = name.find('.');
  auto op = c10::Dispatcher::singleton().findSchema(
      {"aten::" + name.substr(0, dot), dot == std::string::npos ? "" : name.substr(dot + 1)});
  TORCH_CHECK(op, "a row of aten.def must name an op of this PyTorch; found aten::", name, ", which it does not have");
  return *op;
}

void check_signature(const at_row& row, const FunctionSchema& schema) {
  std::vector<Token> tokens;
  for (const char* c = row.signature; *c; c++) {
    if (*c == '?') {
      tokens.back().optional = true;
    } else {
      tokens.push_back({canonical(*c), false});
    }
  }
  const auto expected = tokens_of(schema);
  TORCH_CHECK(tokens == expected && tokens.size() <= AT_MAX_ARGS, "the signature of row aten::", row.name,
              " must fit PyTorch's schema, ", spell(expected), "; found ", row.signature, " for ", schema);
  size_t nreturns = schema.returns().size();
  const auto kind = row.kind == AT_FOREACH ? TypeKind::ListType : TypeKind::TensorType;
  for (const auto& r : schema.returns()) TORCH_CHECK(r.type()->kind() == kind, "row aten::", row.name,
      " must return tensors (lists of them in a foreach row); found ", schema);
  if (nreturns == 0)
    for (const auto& argument : schema.arguments()) nreturns += is_written(argument);
  TORCH_CHECK(nreturns == row.nouts, "row aten::", row.name, " must have as many outputs as PyTorch's schema, ", nreturns,
              "; found ", int{row.nouts});
}

// A backend kernel of a composite op hides the composite, and with it the op's gradient, unless PyTorch has a formula.
void check_gradient(const c10::OperatorHandle& op, const std::string& name) {
  TORCH_CHECK(!op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd) ||
                  op.hasKernelForDispatchKey(c10::DispatchKey::Autograd),
              "a row must name an op whose gradient PyTorch knows; found aten::", name,
              ", which PyTorch differentiates through its parts");
}

} // namespace

std::vector<Form> forms_of(int row) {
  const at_row& entry = *at_row_get(row);
  const c10::OperatorHandle op = find(entry);
  const FunctionSchema& schema = op.schema();
  if (entry.kind != AT_CPU) {
    check_signature(entry, schema);
    check_gradient(op, entry.name);
  }
  Form plain = base_form(row, schema);
  std::vector<Form> forms;
  // A row may name an op that has an in-place overload only.
  Form inplace = plain;
  inplace.noutputs = entry.nouts;
  if (fit_inplace(schema, tokens_of(schema), inplace)) return {inplace};
  forms.push_back(plain);
  std::string base = schema.name();
  const std::string suffix = "_functional";
  if (base.size() > suffix.size() && base.compare(base.size() - suffix.size(), suffix.size(), suffix) == 0)
    base.resize(base.size() - suffix.size());
  add_twin(base + "_", schema, plain, fit_inplace, forms);
  add_twin(base, schema, plain, fit_out, forms);
  return forms;
}

} // namespace torch_pjrt
