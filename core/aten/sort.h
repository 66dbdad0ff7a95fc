/* One stable sort, which the order statistics share. */
#ifndef TP_ATEN_SORT_H
#define TP_ATEN_SORT_H

#include "aten/index.h"

/* |x| in order along |d| and the int64 places its elements had.  NaN counts as the greatest number; equal elements keep
 * their order, also when descending. */
void sorted_along(low *l, hlo_val x, int d, bool descending, hlo_val *out_values, hlo_val *out_places);

#endif
