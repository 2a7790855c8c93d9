/* monitor.c - asks a list of monitors. Programs that do not train need this function alone. */
#include "solver/loop/solver.h"

enum hinge_answer monitors_answer(const struct hinge_monitor *monitor,
                                  const struct hinge_progress *progress,
                                  const struct hinge_progress *returned, int between)
{
    enum hinge_answer strongest = HINGE_GO_ON;

    for (; monitor; monitor = monitor->next)
        if (!between || monitor->wants & HINGE_BETWEEN) {
            const enum hinge_answer answer = monitor->checkpoint(
                monitor->context, monitor->wants & HINGE_MODEL ? returned : progress);

            strongest = answer > strongest ? answer : strongest;
        }
    return strongest;
}
