/* What the fake plugin knows of a program: the signature of `main`, donations, and perhaps its one operation. */
#ifndef FAKE_PROGRAM_H
#define FAKE_PROGRAM_H

#include <pjrt_c_api.h>

enum { FAKE_VALUES = 64, FAKE_DIMS = 16 };

typedef struct fake_type {
    PJRT_Buffer_Type element;
    size_t rank, bytes;
    int64_t dims[FAKE_DIMS];
} fake_type;

typedef struct fake_program {
    int refs, device;
    size_t ninputs, noutputs;
    fake_type inputs[FAKE_VALUES], outputs[FAKE_VALUES];
    int donor[FAKE_VALUES]; /* the input an output takes its memory from, or -1 */
    char op;                /* '+' or '*' of the first input with itself, in f32; 0: not computed */
    char *text;             /* owned */
    size_t len;
} fake_program;

/* Fills |out_program| from StableHLO text in generic or pretty form and the serialized CompileOptionsProto (which
 * gives the device).  NULL, or what is wrong: static text. */
const char *fake_program_read(const char *text, size_t len, const char *options, size_t options_len,
                              fake_program *out_program);
size_t fake_element_bytes(PJRT_Buffer_Type t); /* 0: not a type of arrays here */

#endif
