/* slow_loss.c - hinge, squared hinge, logistic. */
#include "slow_loss.h"

#include <math.h>

long double slow_loss(enum loss loss, long double cost, long double s)
{
    const long double slack = s > 0 ? s : 0;

    if (loss == LOSS_LOGISTIC)
        return cost * (slack + log1pl(expl(-fabsl(s))));
    return loss_is_linear(loss) ? cost * slack : cost * slack * slack;
}

long double slow_slope(enum loss loss, long double s)
{
    const long double e = expl(-fabsl(s));

    if (loss == LOSS_LOGISTIC)
        return s > 0 ? 1 / (1 + e) : e / (1 + e);
    return s > 0 ? (loss_is_linear(loss) ? 1 : 2 * s) : 0;
}

/* less ln(less/C) + (C - less) ln(1 - less/C), where less is the smaller of a and C - a. */
long double slow_conjugate(enum loss loss, long double cost, long double a)
{
    const long double other = cost - a, less = a < other ? a : other;

    if (loss_is_linear(loss))
        return 0;
    if (loss_is_squared(loss))
        return a * a / (4 * cost);
    return less > 0 ? less * logl(less / cost) + (cost - less) * log1pl(-less / cost) : 0;
}

long double slow_inverse(enum loss loss, long double cost, long double a)
{
    if (loss == LOSS_LOGISTIC)
        return logl(a / (cost - a));
    return loss_is_linear(loss) ? 0 : a / (2 * cost);
}
