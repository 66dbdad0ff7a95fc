/* What eager_hlo.c adds to hlo/graph.h. */
#ifndef TESTS_EAGER_HLO_H
#define TESTS_EAGER_HLO_H

#include "hlo/graph.h"

const void *eager_data(const hlo_graph *g, hlo_val v);        /* dense row-major; has the lifetime of |g| */
void eager_next_param(hlo_graph *g, const void *data);        /* borrowed until the next hlo_param */

#endif
