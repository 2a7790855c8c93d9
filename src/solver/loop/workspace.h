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

/* Results that depend on the rows and targets of a problem and serve its trainings at any C. */
struct computed {
    struct primal_system *system;      /* NULL: none */
    struct column_cache *column_cache; /* NULL: none */
    int system_needed;                 /* a training has asked for a system, which may be gone */
};

/* Returns the bytes in use. */
size_t computed_size(const struct computed *computed);
void computed_free(struct computed *computed);

/* Prepares for a training with other rows or targets. If it resumes those of an earlier training,
 * *computed has the results of workspace_take, which the workspace takes over; else NULL. */
void workspace_reset(struct workspace *workspace, struct computed *computed);

/* Moves the results since the reset out of the workspace, at most so many bytes. */
struct computed workspace_take(struct workspace *workspace, size_t most);

/* Returns the system over features, which asks stop during long work; NULL and *error: no memory.
 */
struct primal_system *workspace_system(struct workspace *workspace, const struct problem *problem,
                                       struct stop stop, struct hinge_error *error);

/* True if a training has used the system since the reset. */
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
