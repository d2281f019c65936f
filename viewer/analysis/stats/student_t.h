/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Student's distribution (The Probable Error of a Mean, 1908), by the incomplete beta function:
 *	P(|T| > t) = I(d / (d + t^2); d / 2, 1 / 2)
 * of d degrees of freedom, which need not be whole (Abramowitz, Stegun: Handbook of Mathematical Functions, 26.7.1); that
 * function by its continued fraction (NIST Digital Library of Mathematical Functions, 8.17.22).
 */
#ifndef ANNOT_STUDENT_T_H
#define ANNOT_STUDENT_T_H

/* P(|T| > |@t|); @degrees is more than 0. */
double student_t_p_value(double t, double degrees);

/* The t that |T| exceeds with a probability of @p, more than 0 and less than 1. */
double student_t_limit(double p, double degrees);

#endif /* ANNOT_STUDENT_T_H */
