/* workspace.c - a training uses the results of the one before, or replaces them by its own. */
#include "solver/loop/workspace.h"

#include <stdlib.h>

#include "base/status.h"
#include "solver/linear/column_cache.h"
#include "solver/linear/primal_system.h"
#include "solver/linear/qr.h"

struct workspace {
    struct primal_system *system;      /* NULL: none */
    struct column_cache *column_cache; /* NULL: none */
    int system_needed;                 /* a training has asked for a system, which may be gone */
    int system_used;   /* 0: the system is older than the reset and kept for its memory */
    double *partial;   /* storage of shards.partial */
    double *room;      /* storage of shards.room */
    void *spare;       /* block of a method that has ended; the operating system would have to
                          map a new one */
    size_t spare_size; /* bytes */
};

struct workspace *workspace_new(struct hinge_error *error)
{
    return array_new(1, sizeof(struct workspace), error);
}

void workspace_reset(struct workspace *workspace)
{
    column_cache_free(workspace->column_cache);
    workspace->column_cache = NULL;
    workspace->system_needed = workspace->system_used = 0;
}

void workspace_free(struct workspace *workspace)
{
    if (!workspace)
        return;
    primal_system_free(workspace->system);
    column_cache_free(workspace->column_cache);
    free(workspace->partial);
    free(workspace->room);
    free(workspace->spare);
    free(workspace);
}

/* Returns the system, and makes one if there is none for these rows. */
static struct primal_system *system_of(struct workspace *workspace, const struct problem *problem,
                                       struct hinge_error *error)
{
    if (workspace->system && (workspace->system_used /* at another C, which may need QR */
                                  ? primal_system_has_qr(workspace->system) != qr_is_needed(problem)
                                  : !primal_system_reset(workspace->system, problem))) {
        primal_system_free(workspace->system);
        workspace->system = NULL;
    }
    if (!workspace->system)
        workspace->system = primal_system_new(problem, error);
    workspace->system_used = workspace->system != NULL;
    return workspace->system;
}

struct primal_system *workspace_system(struct workspace *workspace, const struct problem *problem,
                                       struct stop stop, struct hinge_error *error)
{
    struct primal_system *system = system_of(workspace, problem, error);

    workspace->system_needed |= system != NULL;
    if (system)
        primal_system_listen(system, stop);
    return system;
}

double workspace_ordered_price(struct workspace *workspace, const struct problem *problem,
                               unsigned steps)
{
    struct hinge_error ignored;
    struct primal_system *system = system_of(workspace, problem, &ignored);

    return system ? primal_system_ordered_price(system, problem, steps) : 0;
}

int workspace_needed_system(const struct workspace *workspace)
{
    return workspace->system_needed;
}

struct column_cache *workspace_by_features(struct workspace *workspace,
                                           const struct problem *problem, struct hinge_error *error)
{
    if (workspace->column_cache && !column_cache_turn(workspace->column_cache, problem)) {
        column_cache_free(workspace->column_cache);
        workspace->column_cache = NULL;
    }
    if (!workspace->column_cache)
        workspace->column_cache =
            column_cache_new(problem, column_cache_in_columns(problem), error);
    return workspace->column_cache;
}

void *workspace_take_block(struct workspace *workspace, struct arena *arena, size_t *size,
                           struct hinge_error *error)
{
    void *block = workspace->spare;

    workspace->spare = NULL;
    *size = workspace->spare_size;
    if (block && *size >= arena->used) {
        arena_reuse(arena, block);
        return block;
    }
    free(block);
    *size = arena->used;
    return arena_new(arena, error);
}

void workspace_give_block(struct workspace *workspace, void *block, size_t size)
{
    free(workspace->spare);
    workspace->spare = block;
    workspace->spare_size = size;
}

enum hinge_status workspace_shards(struct workspace *workspace, struct shards *shards,
                                   struct hinge_error *error)
{
    const unsigned paying = shards_threads(shards, shards->over);
    const size_t threads = paying > 0 ? paying : 1;
    double *partial = workspace->partial, *room;

    if (shards->count > 1 &&
        !(partial = array_resize(partial, shards->length, threads * sizeof *partial, error)))
        return failure(error);
    shards->partial = workspace->partial = partial;
    if (!(room = array_resize(workspace->room, shards->row_room, threads * sizeof *room, error)))
        return failure(error);
    shards->room = workspace->room = room;
    return HINGE_OK;
}
