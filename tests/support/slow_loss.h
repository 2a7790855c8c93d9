/* slow_loss.h - the losses in long double, as their definitions have them. */
#ifndef HINGE_TESTS_SLOW_LOSS_H
#define HINGE_TESTS_SLOW_LOSS_H

#include "base/compiler.h"
#include "problem/loss.h"

/* C phi(s) */
long double slow_loss(enum loss loss, long double cost, long double s);

/* phi'(s); 0 where phi has no derivative. */
long double slow_slope(enum loss loss, long double s);

/* C phi*(a/C) for a in its domain, and its derivative by a, which is 0 for the hinge. */
long double slow_conjugate(enum loss loss, long double cost, long double a);
long double slow_inverse(enum loss loss, long double cost, long double a);

#endif
