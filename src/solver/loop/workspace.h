/* workspace.h - what trainings keep for each other: memory; and, of problems with the same rows and
 * targets at different C, what was computed.
 */
#ifndef HINGE_SOLVER_LOOP_WORKSPACE_H
#define HINGE_SOLVER_LOOP_WORKSPACE_H

#include "base/memory.h"
#include "base/stop.h"
#include "problem/shards.h"

struct workspace;
struct workspace *workspace_new(struct hinge_error *error);
void workspace_free(struct workspace *workspace);

/* What was computed of the rows and targets of a problem, and serves its trainings at any C; NULL:
 * there is none. */
struct computed {
    struct primal_system *system;
    struct column_cache *column_cache;
    int system_needed; /* a training has asked for a system, which may be gone */
};

/* The bytes it takes. */
size_t computed_size(const struct computed *computed);
void computed_free(struct computed *computed);

/* The next training is of other rows or targets. Where it goes on with those of an earlier one:
 * what workspace_take gave of them, which is taken; else NULL. */
void workspace_reset(struct workspace *workspace, struct computed *computed);

/* Gives away what the trainings since the reset have computed, so many bytes at most. */
struct computed workspace_take(struct workspace *workspace, size_t most);

/* The system over features, which asks stop where it takes long; NULL and *error if there is no
 * memory for it. And whether a training has used it since the reset. */
struct primal_system *workspace_system(struct workspace *workspace, const struct problem *problem,
                                       struct stop stop, struct hinge_error *error);
int workspace_needed_system(const struct workspace *workspace);

/* The rows by features; NULL and *error if there is no memory. */
struct column_cache *workspace_by_features(struct workspace *workspace,
                                           const struct problem *problem,
                                           struct hinge_error *error);

/* A block of zeros for a method, and its size; NULL and *error if there is no memory. Given back,
 * also if it is NULL, it is the next one's. */
void *workspace_take_block(struct workspace *workspace, struct arena *arena, size_t *size,
                           struct hinge_error *error);
void workspace_give_block(struct workspace *workspace, void *block, size_t size);

/* Fills in the shards' partial and room. */
enum hinge_status workspace_shards(struct workspace *workspace, struct shards *shards,
                                   struct hinge_error *error);

#endif
