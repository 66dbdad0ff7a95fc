// The forms of a row: its functional overload, and the in-place and out= overloads found by comparing schemas.
#pragma once

#include "Core.h"

#include <string>
#include <vector>

namespace torch_pjrt {

// Where a form's argument comes from, if not from the stack.
enum : int8_t { kAbsent = -1, kDtypeOfOut = -2 };

struct Form {
  enum Kind { kFunctional, kInplace, kOut };
  int row;
  const at_row* entry;
  Kind kind;
  std::string name;                 // "add_.Tensor": without "aten::"
  uint8_t nargs;                    // letters of the row's signature
  uint8_t nstack;                   // arguments of this overload
  uint8_t noutputs;                 // returns of the functional overload
  bool returns;                     // false where this overload returns ()
  bool listed;                      // outputs are Tensor[]
  int8_t dtype_arg;                 // a factory's `ScalarType? dtype`, -1 if the row is no factory
  char letters[AT_MAX_ARGS];
  int8_t where[AT_MAX_ARGS];        // stack position of each letter, or kAbsent, kDtypeOfOut
  int8_t writes[AT_MAX_OUTS];       // kInplace: letter that output k is written into
  int8_t outs[AT_MAX_OUTS];         // kOut: stack position of the tensor that output k goes to
  uint32_t written;                 // kInplace: bit i is set if letter i is written
};

// All forms of row |row|.  Throws if PyTorch has no such op, its schema does not fit the signature, or a kernel here would
// take away the op's gradient; the message names the op.
std::vector<Form> forms_of(int row);

} // namespace torch_pjrt
