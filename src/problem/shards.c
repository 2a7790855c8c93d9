/* shards.c - sizes of the data -> number of shards -> their limits -> rows of ranks. */
#include "problem/shards.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"

/* ---- Number of shards -------------------------------------------------- */

/* Numbers of rows, entries and features, as double. */
struct data_sizes {
    double rows;
    double nonzeros;
    double features;
};

/* Returns the largest power of 2, at most MOST_SHARDS, for which a shard has at least FEWEST_ROWS
 * rows and `fewest` additions for each number of the sum. Adding up the shards then costs little.
 */
static unsigned most_shards(struct data_sizes sizes, double additions, double fewest)
{
    enum { FEWEST_ROWS = 256 };
    unsigned count = 1;

    while (count < MOST_SHARDS && sizes.rows / (2 * count) >= FEWEST_ROWS &&
           additions / (2 * count) >= fewest)
        count *= 2;
    return count;
}

/* True if X'WX may be formed. */
static int is_narrow(struct data_sizes sizes)
{
    return sizes.features <= sizes.rows && sizes.features <= MOST_ORDER;
}

/* Returns the shards of a sum of vectors. With many features, most time goes into sums over few
 * rows, for which more shards cost little. */
static unsigned vector_shards(struct data_sizes sizes)
{
    enum { NARROW = 64, WIDE = 6 };

    return most_shards(sizes, sizes.nonzeros / fmax(sizes.features, 1),
                       is_narrow(sizes) ? NARROW : WIDE);
}

/* Returns the number of parts. Shards of all sums are parts or divisions of parts. A part may have
 * fewer additions for X'WX than a shard needs: most of these sums are over few rows and are not
 * divided. */
static unsigned count_parts(struct data_sizes sizes)
{
    enum { FEWEST = 4, MANY = 16, FEWEST_OF_MORE = 1024 };
    const unsigned vectors = vector_shards(sizes);
    const double width = fmax(sizes.features, 1);
    /* additions for each number of X'WX, over all rows */
    const double additions =
        sizes.nonzeros / width * (sizes.nonzeros / fmax(sizes.rows, 1) / width) / 2;
    const unsigned most = most_shards(sizes, additions, FEWEST);
    const unsigned more = most_shards(sizes, additions, FEWEST_OF_MORE);
    const unsigned parts = most <= MANY ? most : more > MANY ? more : MANY;

    return is_narrow(sizes) && parts < vectors ? parts : vectors;
}

static struct data_sizes sizes_of(const struct hinge_dataset *data)
{
    return (struct data_sizes){(double)data->x.rows, (double)data->x.nonzeros, data->features};
}

struct shards shards_of(const struct problem *problem, enum summed what, double work, size_t length)
{
    enum { FEWEST = 64, FEW = 16 }; /* additions for each number of X'WX */
    const struct hinge_dataset *data = problem->whole ? problem->whole : problem->data;
    const struct data_sizes sizes = sizes_of(data);
    const double numbers = (double)length;
    unsigned count = 1;

    if (what == SUM_OF_VECTORS) {
        count = vector_shards(sizes);
    } else if (!(work < FEW * numbers)) {
        const unsigned parts = count_parts(sizes);

        count = most_shards(sizes, work / numbers, FEWEST);
        count = count > parts ? count : parts;
    }
    return (struct shards){.row = problem->whole ? problem->whole_row : problem->row,
                           .rows = (uint32_t)data->x.rows,
                           .count = count,
                           .length = length,
                           .order = what == SUM_OF_PRODUCTS ? problem_width(problem) : 0,
                           .work = work,
                           .over = problem->rows,
                           .team = team_is_shared(problem->team) ? problem->team : NULL,
                           .row_room = 4 * problem->classes};
}

unsigned shards_threads(const struct shards *shards, double rows)
{
    return parallel_threads_for(shards->threads, shards->work * rows / fmax(shards->over, 1));
}

static uint32_t number_at(const uint32_t *number, struct selection rows, uint32_t s)
{
    const uint32_t i = selected(&rows, s);

    return number ? number[i] : i;
}

/* Tries place = limit first, which is correct if no row before it is left out. */
uint32_t selection_place(const uint32_t *number, struct selection rows, uint32_t limit)
{
    uint32_t low = 0, high = rows.count;

    if (limit > 0 && limit < high && number_at(number, rows, limit - 1) < limit &&
        number_at(number, rows, limit) >= limit)
        return limit;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (number_at(number, rows, middle) < limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t shards_place(const struct shards *shards, struct selection rows, unsigned k)
{
    if (k == 0 || k == shards->count)
        return k == 0 ? 0 : rows.count;
    return selection_place(shards->row, rows, (uint32_t)part_begin(shards->rows, shards->count, k));
}

/* ---- Shards of ranks ----------------------------------------------------- */

unsigned shards_first_of_rank(const struct shards *shards, unsigned rank)
{
    const struct team *team = shards->team;

    return (unsigned)part_begin(team->parts, team_size(team), rank) * (shards->count / team->parts);
}

unsigned shards_of_rank(const struct shards *shards, unsigned rank)
{
    return shards_first_of_rank(shards, rank + 1) - shards_first_of_rank(shards, rank);
}

void hinge_team_rows(const struct hinge_team *team, size_t rows, size_t nonzeros, uint32_t features,
                     uint32_t *first, uint32_t *end)
{
    const unsigned parts =
        count_parts((struct data_sizes){(double)rows, (double)nonzeros, features});
    const unsigned rank = (unsigned)team->rank, size = (unsigned)team->size;

    *first = (uint32_t)part_begin(rows, parts, part_begin(parts, size, rank));
    *end = (uint32_t)part_begin(rows, parts, part_begin(parts, size, rank + 1));
}

struct team *shards_team(const struct hinge_team *transport, const struct hinge_dataset *data,
                         struct hinge_error *error)
{
    struct team *team = team_new(transport, error);

    if (!team)
        return NULL;
    team->parts = count_parts(sizes_of(data));
    hinge_team_rows(transport, data->x.rows, data->x.nonzeros, data->features, &team->first,
                    &team->end);
    return team;
}

struct own_rows own_places(const struct problem *problem, struct selection rows)
{
    const struct team *team = problem->team;

    if (!team_is_shared(team) || rows.row)
        return (struct own_rows){0, rows.count};
    return (struct own_rows){selection_place(problem->row, rows, team->first),
                             selection_place(problem->row, rows, team->end)};
}

struct own_rows own_rows(const struct problem *problem)
{
    return own_places(problem, all_rows(problem));
}

uint32_t first_row_of_rank(const struct problem *problem, unsigned rank)
{
    const struct team *team = problem->team;
    const uint64_t part = part_begin(team->parts, team_size(team), rank);

    return selection_place(problem->row, all_rows(problem),
                           (uint32_t)part_begin(problem->data->x.rows, team->parts, part));
}

void shards_gather(const struct problem *problem, double *of_row)
{
    struct team *team = problem->team;
    const struct own_rows own = own_rows(problem);
    const size_t outputs = problem_outputs(problem), size = outputs * sizeof *of_row;
    void *room;

    if (!team_is_shared(team) || !(room = team_room(team, own.end - own.first, size)))
        return;
    for (unsigned q = 0; q < team_size(team); q++)
        team->bytes[q] = (first_row_of_rank(problem, q + 1) - first_row_of_rank(problem, q)) * size;
    memcpy(room, of_row + own.first * outputs, (own.end - own.first) * size);
    team_gather(team, room, of_row, team->bytes);
}
