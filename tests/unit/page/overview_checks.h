/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Holds an overview against sums over every row of the model that it was made of.
 */
#ifndef TEST_OVERVIEW_CHECKS_H
#define TEST_OVERVIEW_CHECKS_H

#include "overview_result.h"

/* Fails the test where @result is not what the rows of @model come to. */
void check_result(const struct result *result, const struct model *model);

#endif /* TEST_OVERVIEW_CHECKS_H */
