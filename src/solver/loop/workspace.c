/* workspace.c - a training uses the results of the one before, or replaces them by its own. */
#include "solver/loop/workspace.h"

#include <stdlib.h>

#include "base/status.h"
#include "solver/linear/column_cache.h"
#include "solver/linear/primal_system.h"
#include "solver/linear/qr.h"

struct workspace {
    struct computed computed; /* results since the last reset */
    int system_used;          /* 0: the system is older than the reset and kept for its memory */
    double *partial;          /* storage of shards.partial */
    double *room;             /* storage of shards.room */
    void *spare;       /* block of a method that has ended; the operating system would have to
                          map a new one */
    size_t spare_size; /* bytes */
};

struct workspace *workspace_new(struct hinge_error *error)
{
    return array_new(1, sizeof(struct workspace), error);
}

size_t computed_size(const struct computed *computed)
{
    return (computed->system ? primal_system_size(computed->system) : 0) +
           (computed->column_cache ? computed->column_cache->size : 0);
}

void computed_free(struct computed *computed)
{
    primal_system_free(computed->system);
    column_cache_free(computed->column_cache);
    *computed = (struct computed){NULL, NULL, 0};
}

void workspace_reset(struct workspace *workspace, struct computed *computed)
{
    struct computed *own = &workspace->computed;

    column_cache_free(own->column_cache);
    own->column_cache = computed ? computed->column_cache : NULL;
    own->system_needed = computed && computed->system_needed;
    workspace->system_used = computed && computed->system;
    if (workspace->system_used) {
        primal_system_free(own->system);
        own->system = computed->system;
    }
    if (computed)
        *computed = (struct computed){NULL, NULL, 0};
}

struct computed workspace_take(struct workspace *workspace, size_t most)
{
    struct computed *own = &workspace->computed;
    struct computed taken = {NULL, NULL, own->system_needed};

    if (workspace->system_used && primal_system_size(own->system) <= most) {
        taken.system = own->system;
        own->system = NULL;
        workspace->system_used = 0;
    }
    if (own->column_cache && own->column_cache->size <= most - computed_size(&taken)) {
        taken.column_cache = own->column_cache;
        own->column_cache = NULL;
    }
    return taken;
}

void workspace_free(struct workspace *workspace)
{
    if (!workspace)
        return;
    computed_free(&workspace->computed);
    free(workspace->partial);
    free(workspace->room);
    free(workspace->spare);
    free(workspace);
}

struct primal_system *workspace_system(struct workspace *workspace, const struct problem *problem,
                                       struct stop stop, struct hinge_error *error)
{
    struct computed *computed = &workspace->computed;

    if (computed->system && (workspace->system_used /* at another C, which may need QR */
                                 ? primal_system_has_qr(computed->system) != qr_is_needed(problem)
                                 : !primal_system_reset(computed->system, problem))) {
        primal_system_free(computed->system);
        computed->system = NULL;
    }
    if (!computed->system)
        computed->system = primal_system_new(problem, error);
    workspace->system_used = computed->system != NULL;
    computed->system_needed |= workspace->system_used;
    if (computed->system)
        primal_system_listen(computed->system, stop);
    return computed->system;
}

int workspace_needed_system(const struct workspace *workspace)
{
    return workspace->computed.system_needed;
}

struct column_cache *workspace_by_features(struct workspace *workspace,
                                           const struct problem *problem, struct hinge_error *error)
{
    struct computed *computed = &workspace->computed;

    if (computed->column_cache && !column_cache_turn(computed->column_cache, problem)) {
        column_cache_free(computed->column_cache);
        computed->column_cache = NULL;
    }
    if (!computed->column_cache)
        computed->column_cache = column_cache_new(problem, column_cache_in_columns(problem), error);
    return computed->column_cache;
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
