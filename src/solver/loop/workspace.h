/* workspace.h - trainings leave memory to each other, and, for problems that differ in C alone, the
 * system over features and the rows by features.
 */
#ifndef HINGE_SOLVER_LOOP_WORKSPACE_H
#define HINGE_SOLVER_LOOP_WORKSPACE_H

#include "base/memory.h"
#include "base/stop.h"
#include "problem/shards.h"

struct workspace;

/* Returns an empty workspace; NULL and *error: no memory. */
struct workspace *workspace_new(struct hinge_error *error);
void workspace_free(struct workspace *workspace);

/* Prepares for a training with other rows or targets. */
void workspace_reset(struct workspace *workspace);

/* Returns the system over features, which asks stop during long work; NULL and *error: no memory.
 */
struct primal_system *workspace_system(struct workspace *workspace, const struct problem *problem,
                                       struct stop stop, struct hinge_error *error);

/* Returns the price of a factor with rare features first and of `steps` steps with it; 0: there is
 * no such factor. */
double workspace_ordered_price(struct workspace *workspace, const struct problem *problem,
                               unsigned steps);

/* True if a training has asked for the system since the reset. */
int workspace_needed_system(const struct workspace *workspace);

/* Returns the rows by features; NULL and *error: no memory. */
struct column_cache *workspace_by_features(struct workspace *workspace,
                                           const struct problem *problem,
                                           struct hinge_error *error);

/* Returns a block of zeros for a method, and its size; NULL and *error: no memory. The method's
 * user gives the block back, also if it is NULL, and the next method gets it. */
void *workspace_take_block(struct workspace *workspace, struct arena *arena, size_t *size,
                           struct hinge_error *error);
void workspace_give_block(struct workspace *workspace, void *block, size_t size);

/* Fills in shards->partial and shards->room. */
enum hinge_status workspace_shards(struct workspace *workspace, struct shards *shards,
                                   struct hinge_error *error);

#endif
