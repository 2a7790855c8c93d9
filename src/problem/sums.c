/* sums.c - sum = ((s_0 + s_1) + s_2) + ..., s_k the sum of shard k, each formed from 0. */
#include "problem/sums.h"

#include <string.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/status.h"
#include "base/sum.h"
#include "problem/class_loss.h"
#include "problem/outer.h"

/* ---- Shards ------------------------------------------------------------ */

enum { MOST_SHARDS = 64 };

/* Numbers of rows, entries and features, as double. */
struct sizes {
    double rows;
    double nonzeros;
    double features;
};

/* The largest power of 2, MOST_SHARDS at most, for which a shard has some rows, and so many
 * additions for each number of the sum that adding up the shards costs little beside them. */
static unsigned most_shards(struct sizes sizes, double additions, double fewest)
{
    enum { FEWEST_ROWS = 256 };
    unsigned count = 1;

    while (count < MOST_SHARDS && sizes.rows / (2 * count) >= FEWEST_ROWS &&
           additions / (2 * count) >= fewest)
        count *= 2;
    return count;
}

/* Whether X'WX may be formed of such data. */
static int is_narrow(struct sizes sizes)
{
    return sizes.features <= sizes.rows && sizes.features <= MOST_ORDER;
}

/* Where features are many, sums over few rows have a large share in a training: more shards cost
 * it little. */
static unsigned vector_shards(struct sizes sizes)
{
    enum { NARROW = 64, WIDE = 6 };

    return most_shards(sizes, sizes.nonzeros / fmax(sizes.features, 1),
                       is_narrow(sizes) ? NARROW : WIDE);
}

/* Additions for each number of X'WX, formed of all rows. */
static double product_additions(struct sizes sizes)
{
    const double width = fmax(sizes.features, 1);

    return sizes.nonzeros / width * (sizes.nonzeros / fmax(sizes.rows, 1) / width) / 2;
}

/* The number of parts that all sums divide the rows into, or into parts of these. Of X'WX they have
 * fewer additions than its shards: most of these sums are over few rows, and not divided. */
static unsigned count_parts(struct sizes sizes)
{
    enum { FEWEST = 4, MANY = 16, FEWEST_OF_MORE = 1024 };
    const unsigned vectors = vector_shards(sizes);
    const double additions = product_additions(sizes);
    const unsigned most = most_shards(sizes, additions, FEWEST);
    const unsigned more = most_shards(sizes, additions, FEWEST_OF_MORE);
    const unsigned parts = most <= MANY ? most : more > MANY ? more : MANY;

    return is_narrow(sizes) && parts < vectors ? parts : vectors;
}

/* Of X'WX over rows with so many additions. */
static unsigned product_shards(struct sizes sizes, double work, double length)
{
    enum { FEWEST = 64, FEW = 16 };
    const unsigned parts = count_parts(sizes), shards = most_shards(sizes, work / length, FEWEST);

    if (work < FEW * length)
        return 1;
    return shards > parts ? shards : parts;
}

static struct sizes sizes_of(const struct hinge_dataset *data)
{
    return (struct sizes){(double)data->x.rows, (double)data->x.nonzeros, data->features};
}

struct shards shards_of(const struct problem *problem, enum summed what, double work, size_t length)
{
    const struct hinge_dataset *data = problem->whole ? problem->whole : problem->data;
    const struct sizes sizes = sizes_of(data);

    return (struct shards){.row = problem->whole ? problem->whole_row : problem->row,
                           .rows = (uint32_t)data->x.rows,
                           .count = what == SUM_OF_VECTORS
                                        ? vector_shards(sizes)
                                        : product_shards(sizes, work, (double)length),
                           .length = length,
                           .order = what == SUM_OF_PRODUCTS ? problem_width(problem) : 0,
                           .work = work,
                           .team = team_is_shared(problem->team) ? problem->team : NULL,
                           .row_room = 4 * problem->classes};
}

void shards_use_threads(struct shards *shards, unsigned threads)
{
    static const double LITTLE = 2e5; /* additions, some tenth of a millisecond */

    shards->threads = shards->work < LITTLE ? 1 : threads;
}

/* The first row of the data in part k of so many. */
static uint32_t part_begin(uint32_t rows, unsigned parts, unsigned k)
{
    return (uint32_t)((uint64_t)rows * k / parts);
}

/* The first place of the selection whose row in the data is that or a later one. */
static uint32_t place_of(const uint32_t *row, struct selection rows, uint32_t limit)
{
    uint32_t low = 0, high = rows.count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (row[selected(&rows, middle)] < limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The same of shard k. */
static uint32_t place_of_shard(const struct shards *shards, struct selection rows, unsigned k)
{
    if (k == 0 || k == shards->count)
        return k == 0 ? 0 : rows.count;
    return place_of(shards->row, rows, part_begin(shards->rows, shards->count, k));
}

/* ---- Shards of ranks ----------------------------------------------------- */

/* The first of so many shards, or parts, that is a rank's. */
static unsigned first_of_rank(unsigned count, unsigned rank, unsigned size)
{
    return (unsigned)((uint64_t)count * rank / size);
}

/* The first shard of a rank: its parts are so many whole shards each. */
static unsigned first_shard(const struct shards *shards, unsigned rank)
{
    const struct team *team = shards->team;

    return first_of_rank(team->parts, rank, team_size(team)) * (shards->count / team->parts);
}

static unsigned shards_of_rank(const struct shards *shards, unsigned rank)
{
    return first_shard(shards, rank + 1) - first_shard(shards, rank);
}

void hinge_team_rows(const struct hinge_team *team, size_t rows, size_t nonzeros, uint32_t features,
                     uint32_t *first, uint32_t *end)
{
    const unsigned parts = count_parts((struct sizes){(double)rows, (double)nonzeros, features});
    const unsigned rank = (unsigned)team->rank, size = (unsigned)team->size;

    *first = part_begin((uint32_t)rows, parts, first_of_rank(parts, rank, size));
    *end = part_begin((uint32_t)rows, parts, first_of_rank(parts, rank + 1, size));
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

/* The places of a selection that are of own rows. */
static struct own_rows own_places(const struct problem *problem, struct selection rows)
{
    const struct team *team = problem->team;

    if (!team_is_shared(team) || rows.row)
        return (struct own_rows){0, rows.count};
    return (struct own_rows){place_of(problem->row, rows, team->first),
                             place_of(problem->row, rows, team->end)};
}

struct own_rows own_rows(const struct problem *problem)
{
    return own_places(problem, all_rows(problem));
}

uint32_t first_row_of_rank(const struct problem *problem, unsigned rank)
{
    const struct team *team = problem->team;
    const unsigned part = first_of_rank(team->parts, rank, team_size(team));

    return place_of(problem->row, all_rows(problem),
                    part_begin((uint32_t)problem->data->x.rows, team->parts, part));
}

void sums_gather(const struct problem *problem, double *of_row)
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

/* ---- A sum --------------------------------------------------------------- */

/* A sum at work. */
struct run {
    const struct shards *shards;
    struct selection rows;
    shard_function *add;
    void *context;
    double *vector;
    double *partials; /* of a rank: a vector for each of its shards; NULL: one for each thread */
    unsigned first;   /* of its shards */
    double scalars[MOST_SHARDS][MOST_SCALARS];
    unsigned char is_empty[MOST_SHARDS];
};

/* Where a thread sums the vector of shard k. */
static double *partial_of(const struct run *run, size_t k, unsigned thread)
{
    const struct shards *shards = run->shards;

    if (!run->vector || shards->count == 1)
        return run->vector;
    return run->partials ? run->partials + (k - run->first) * shards->length
                         : shards->partial + thread * shards->length;
}

/* Where the numbers of line i of a sum begin that are summed; a vector has one line. */
static size_t line_begin(const struct shards *shards, size_t i)
{
    return i * shards->order + i;
}

static size_t line_end(const struct shards *shards, size_t i)
{
    return shards->order > 0 ? (i + 1) * shards->order : shards->length;
}

static size_t lines(const struct shards *shards)
{
    return shards->order > 0 ? shards->order : 1;
}

static void clear_sum(const struct shards *shards, double *sum)
{
    for (size_t i = 0; i < lines(shards); i++)
        memset(sum + line_begin(shards, i), 0,
               (line_end(shards, i) - line_begin(shards, i)) * sizeof *sum);
}

static void add_sum(const struct shards *shards, const double *partial, double *sum)
{
    for (size_t i = 0; i < lines(shards); i++)
        for (size_t j = line_begin(shards, i); j < line_end(shards, i); j++)
            sum[j] += partial[j];
}

static void sum_shard(void *context, size_t k, unsigned thread)
{
    struct run *run = context;
    const struct shards *shards = run->shards;
    const struct shard shard = {place_of_shard(shards, run->rows, (unsigned)k),
                                place_of_shard(shards, run->rows, (unsigned)k + 1),
                                (unsigned)k,
                                run->scalars[k],
                                partial_of(run, k, thread),
                                shards->room ? shards->room + thread * shards->row_room : NULL};

    run->is_empty[k] = shard.first == shard.end;
    if (run->is_empty[k])
        return;
    if (shard.vector != run->vector)
        clear_sum(shards, shard.vector);
    run->add(run->context, &shard);
}

/* Shard k of a rank's own. */
static void sum_own_shard(void *context, size_t k, unsigned thread)
{
    const struct run *run = context;

    sum_shard(context, run->first + k, thread);
}

/* Once the shards before it have been added. */
static void add_shard(void *context, size_t k, unsigned thread)
{
    const struct run *run = context;
    const double *partial = partial_of(run, k, thread);

    if (!run->is_empty[k] && partial != run->vector)
        add_sum(run->shards, partial, run->vector);
}

/* Adds the scalars of the shards, once all are there. */
static void add_scalars(const struct run *run, double *scalars)
{
    for (size_t j = 0; scalars && j < MOST_SCALARS; j++) {
        scalars[j] = 0;
        for (unsigned k = 0; k < run->shards->count; k++)
            scalars[j] += run->is_empty[k] ? 0 : run->scalars[k][j];
    }
}

/* ---- A sum of ranks ------------------------------------------------------ */

/* What a rank sends of a shard before its numbers: whether it has any, and its scalars. */
enum { HEAD = 1 + MOST_SCALARS };

/* The numbers that are summed. */
static size_t numbers(const struct shards *shards)
{
    return shards->order > 0 ? shards->order * (shards->order + 1) / 2 : shards->length;
}

/* Of which this is the first that rank q adds up. */
static size_t slice_begin(const struct shards *shards, unsigned q)
{
    const size_t count = numbers(shards), size = team_size(shards->team);

    return count / size * q + count % size * q / size;
}

/* Copies numbers begin .. end - 1 of a sum to or from a place where one follows the other. */
static void copy_numbers(const struct shards *shards, size_t begin, size_t end, double *sum,
                         double *packed, int pack)
{
    size_t first = 0; /* of the line's numbers */

    for (size_t i = 0; i < lines(shards) && first < end; i++) {
        double *line = sum + line_begin(shards, i);
        const size_t length = line_end(shards, i) - line_begin(shards, i);
        const size_t from = begin > first ? begin - first : 0;
        const size_t to = end - first < length ? end - first : length;

        if (from < to && pack)
            memcpy(packed + (first + from - begin), line + from, (to - from) * sizeof *line);
        else if (from < to)
            memcpy(line + from, packed + (first + from - begin), (to - from) * sizeof *line);
        first += length;
    }
}

/* The buffers of a rank in a sum; where there is no room for them, the team fails. */
struct moved {
    unsigned own;     /* its shards */
    size_t slice;     /* numbers that it adds up */
    double *partials; /* [own length] */
    double *send;     /* [own (size HEAD + numbers)], at least [slice] */
    double *receive;  /* [count (HEAD + slice)] */
    double *sum;      /* [numbers] */
};

static struct moved lay_out_moved(const struct shards *shards, int has_vector)
{
    const unsigned size = team_size(shards->team), rank = team_rank(shards->team);
    const size_t length = has_vector ? shards->length : 0, all = has_vector ? numbers(shards) : 0;
    struct moved moved = {.own = shards_of_rank(shards, rank)};
    size_t sent, received;

    moved.slice = has_vector ? slice_begin(shards, rank + 1) - slice_begin(shards, rank) : 0;
    sent = moved.own * ((has_vector ? size : 1) * (size_t)HEAD + all);
    sent = sent > moved.slice ? sent : moved.slice;
    received = shards->count * (HEAD + moved.slice);
    moved.partials =
        team_room(shards->team, moved.own * length + sent + received + all, sizeof *moved.partials);
    if (!moved.partials)
        return moved;
    moved.send = moved.partials + moved.own * length;
    moved.receive = moved.send + sent;
    moved.sum = moved.receive + received;
    return moved;
}

/* Takes the heads and numbers of all shards, so many of each, that have been received. */
static void take_shards(struct run *run, const struct moved *moved)
{
    for (unsigned k = 0; k < run->shards->count; k++) {
        const double *head = moved->receive + k * (HEAD + moved->slice);

        run->is_empty[k] = head[0] != 0;
        memcpy(run->scalars[k], head + 1, sizeof run->scalars[k]);
    }
}

static void put_head(const struct run *run, unsigned k, double *head)
{
    head[0] = run->is_empty[k];
    memcpy(head + 1, run->scalars[k], sizeof run->scalars[k]);
}

/* Every rank gets the heads of all shards. */
static void move_scalars(struct run *run, const struct moved *moved)
{
    struct team *team = run->shards->team;
    const unsigned size = team_size(team);

    for (unsigned k = 0; k < moved->own; k++)
        put_head(run, run->first + k, moved->send + k * (size_t)HEAD);
    for (unsigned q = 0; q < size; q++)
        team->bytes[q] = shards_of_rank(run->shards, q) * (HEAD * sizeof(double));
    team_gather(team, moved->send, moved->receive, team->bytes);
    take_shards(run, moved);
}

/* Every rank gets its slice of all shards, with the heads, adds it up, and all get the slices. */
static void move_vectors(struct run *run, const struct moved *moved)
{
    const struct shards *shards = run->shards;
    struct team *team = shards->team;
    const unsigned size = team_size(team), rank = team_rank(team);
    size_t *send_bytes = team->bytes, *receive_bytes = send_bytes + size;
    const size_t first = slice_begin(shards, rank);
    double *next = moved->send;

    for (unsigned q = 0; q < size; q++) {
        const size_t begin = slice_begin(shards, q), end = slice_begin(shards, q + 1);

        for (unsigned k = 0; k < moved->own; k++, next += HEAD + (end - begin)) {
            put_head(run, run->first + k, next);
            copy_numbers(shards, begin, end, moved->partials + k * shards->length, next + HEAD, 1);
        }
        send_bytes[q] = moved->own * (HEAD + (end - begin)) * sizeof(double);
        receive_bytes[q] = shards_of_rank(shards, q) * (HEAD + moved->slice) * sizeof(double);
    }
    team_exchange(team, moved->send, send_bytes, moved->receive, receive_bytes);
    take_shards(run, moved);
    copy_numbers(shards, first, first + moved->slice, run->vector, moved->send, 1);
    for (unsigned k = 0; k < shards->count; k++) {
        const double *numbers_of = moved->receive + k * (HEAD + moved->slice) + HEAD;

        for (size_t j = 0; !run->is_empty[k] && j < moved->slice; j++)
            moved->send[j] += numbers_of[j];
    }
    for (unsigned q = 0; q < size; q++)
        send_bytes[q] = (slice_begin(shards, q + 1) - slice_begin(shards, q)) * sizeof(double);
    team_gather(team, moved->send, moved->sum, send_bytes);
    copy_numbers(shards, 0, numbers(shards), run->vector, moved->sum, 0);
}

/* One shard, whose rows several ranks may have: each goes on where the one before it ended. Scalars
 * may be left only where one rank has all rows. */
static void run_in_turn(struct run *run, double *scalars)
{
    const struct shards *shards = run->shards;
    struct team *team = shards->team;
    const unsigned size = team_size(team);

    memset(run->scalars[0], 0, sizeof run->scalars[0]);
    run->is_empty[0] = 0;
    for (unsigned q = 0; q < size; q++) {
        if (first_of_rank(team->parts, q, size) == first_of_rank(team->parts, q + 1, size))
            continue;
        if (q == team_rank(team)) {
            const struct selection rows = run->rows;
            const struct shard shard = {place_of(shards->row, rows, team->first),
                                        place_of(shards->row, rows, team->end),
                                        0,
                                        run->scalars[0],
                                        run->vector,
                                        shards->room};

            if (shard.first < shard.end)
                run->add(run->context, &shard);
        }
        if (scalars)
            team_send_from(team, q, run->scalars[0], sizeof run->scalars[0]);
        if (run->vector)
            team_send_from(team, q, run->vector, shards->length * sizeof *run->vector);
    }
}

static void run_in_team(struct run *run, double *scalars)
{
    const struct shards *shards = run->shards;
    const struct moved moved = lay_out_moved(shards, run->vector != NULL);

    run->partials = moved.partials;
    run->first = first_shard(shards, team_rank(shards->team));
    if (!moved.partials) { /* the team has failed */
        memset(run->is_empty, 1, sizeof run->is_empty);
        return;
    }
    if (shards->count == 1) {
        run_in_turn(run, scalars);
        return;
    }
    parallel_run(shards->threads, moved.own, sum_own_shard, NULL, run);
    if (run->vector)
        move_vectors(run, &moved);
    else
        move_scalars(run, &moved);
}

void sums_run(const struct shards *shards, struct selection rows, shard_function *add,
              void *context, double *scalars, double *vector)
{
    struct run run;

    run.shards = shards;
    run.rows = rows;
    run.add = add;
    run.context = context;
    run.vector = vector;
    run.partials = NULL;
    run.first = 0;
    memset(run.scalars, 0, shards->count * sizeof run.scalars[0]);
    memset(run.is_empty, 0, shards->count);
    if (shards->team)
        run_in_team(&run, scalars);
    else
        parallel_run(shards->threads, shards->count, sum_shard, vector ? add_shard : NULL, &run);
    add_scalars(&run, scalars);
}

/* ---- Vectors ----------------------------------------------------------- */

/* Which alpha are 0 is as good as random, and would be mispredicted: those that are not are
 * gathered first, without a branch. */
static ALWAYS_INLINE void combine_some(const struct problem *problem, struct selection rows,
                                       const double *alpha, double factor, uint32_t first,
                                       uint32_t end, double *v)
{
    enum { BLOCK = 256 };
    uint32_t member[BLOCK] = {0};
    double change[BLOCK] = {0};

    for (uint32_t s = first; s < end;) {
        uint32_t members = 0;

        for (const uint32_t stop = end - s < BLOCK ? end : s + BLOCK; s < stop; s++) {
            member[members] = selected(&rows, s);
            change[members] = factor * problem->sign[member[members]] * alpha[s - first];
            members += change[members] != 0;
        }
        for (uint32_t k = 0; k < members; k++) {
            const struct sparse x = problem_row(problem, member[k]);

            problem_add(problem, &x, change[k], v);
        }
    }
}

void sums_combine_some(const struct problem *problem, struct selection rows, const double *alpha,
                       double factor, uint32_t first, uint32_t end, double *v)
{
    WITH_ROWS(rows, combine_some(problem, ROWS, alpha, factor, first, end, v));
}

/* What the sums of vectors are over. */
struct weighted_sum {
    const struct problem *problem;
    struct selection rows;
    const double *weight;
    double factor;
    const double *p;
    const struct stop *stop;
};

static void add_combination(void *context, const struct shard *shard)
{
    const struct weighted_sum *sum = context;

    sums_combine_some(sum->problem, sum->rows, sum->weight + shard->first, sum->factor,
                      shard->first, shard->end, shard->vector);
}

static void add_outer_products(void *context, const struct shard *shard)
{
    const struct weighted_sum *sum = context;
    const size_t classes = sum->problem->classes;

    for (uint32_t s = shard->first; s < shard->end; s++) {
        const struct sparse x = problem_row(sum->problem, selected(&sum->rows, s));

        problem_add_outer(sum->problem, &x, sum->weight + s * classes, shard->vector);
    }
}

void sums_combine(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *alpha, double factor, double *v)
{
    struct weighted_sum sum = {problem, rows, alpha, factor, NULL, NULL};

    sums_run(shards, rows, problem->classes > 0 ? add_outer_products : add_combination, &sum, NULL,
             v);
}

static void add_hessian(void *context, const struct shard *shard)
{
    const struct weighted_sum *sum = context;

    for (uint32_t s = shard->first; s < shard->end; s++) {
        const struct sparse x = problem_row(sum->problem, selected(&sum->rows, s));
        const double dot = problem_dot(sum->problem, &x, sum->p);

        problem_add(sum->problem, &x, sum->weight[s] * dot, shard->vector);
    }
}

void sums_hessian(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *weight, const double *p, double *product)
{
    struct weighted_sum sum = {problem, rows, weight, 1, p, NULL};

    sums_run(shards, rows, add_hessian, &sum, NULL, product);
}

static void add_outer(void *context, const struct shard *shard)
{
    static const double LONG = 1e7; /* additions, a few milliseconds */
    const struct weighted_sum *sum = context;
    const struct problem *problem = sum->problem;
    const size_t width = problem_width(problem);
    struct outer some = {.constant = problem->bias,
                         .has_constant = problem->bias_kind != BIAS_NONE};
    double *const matrix = shard->vector;
    double additions = 0;

    for (uint32_t s = shard->first; s < shard->end; s++) {
        const size_t length = problem_length(problem, selected(&sum->rows, s));

        additions += (double)length * (double)length / 2;
        if (additions > LONG) {
            if (stop_is_asked(sum->stop))
                return;
            additions = 0;
        }
        if (problem_is_paged(problem) &&
            !pages_has(&problem->data->x, problem->row[selected(&sum->rows, s)])) {
            outer_add(&some, matrix, width); /* finding this row may move those */
            some.count = 0;
        }
        some.x[some.count] = problem_row(problem, selected(&sum->rows, s));
        some.weight[some.count++] = sum->weight[s];
        if (some.count == OUTER_ROWS || s + 1 == shard->end) {
            outer_add(&some, matrix, width);
            some.count = 0;
        }
    }
}

void sums_outer(const struct shards *shards, const struct problem *problem, struct selection rows,
                const double *weight, const struct stop *stop, double *matrix)
{
    struct weighted_sum sum = {problem, rows, weight, 1, NULL, stop};

    sums_run(shards, rows, add_outer, &sum, NULL, matrix);
}

static void add_squares(void *context, const struct shard *shard)
{
    const struct weighted_sum *sum = context;
    const double bias = sum->problem->bias;

    for (uint32_t s = shard->first; s < shard->end; s++) {
        const struct sparse x = problem_row(sum->problem, selected(&sum->rows, s));

        for (size_t k = 0; k < x.count; k++)
            shard->vector[index_at(&x, k)] += sum->weight[s] * value_at(&x, k) * value_at(&x, k);
        if (sum->problem->bias_kind != BIAS_NONE)
            shard->vector[sum->problem->data->features] += sum->weight[s] * bias * bias;
    }
}

void sums_squares(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *weight, double *diagonal)
{
    struct weighted_sum sum = {problem, rows, weight, 1, NULL, NULL};

    sums_run(shards, rows, add_squares, &sum, NULL, diagonal);
}

/* ---- Margins, and sums of what depends on them -------------------------- */

/* The problem without its first rows, of which margins need no more than this. */
static struct problem problem_from(const struct problem *problem, uint32_t first)
{
    struct problem part = *problem;

    part.row += first;
    if (part.classes == 0)
        part.sign += first;
    return part;
}

static ALWAYS_INLINE void margins(const struct problem *problem, struct selection rows,
                                  const double *v, double *z)
{
    uint32_t last = UINT32_MAX;
    double dot = 0;

    for (uint32_t s = 0; s < rows.count; s++) {
        const uint32_t i = selected(&rows, s);

        if (problem->row[i] != last) { /* of a regression two rows that follow are the same */
            const struct sparse x = problem_row(problem, i);

            dot = problem_dot(problem, &x, v);
            last = problem->row[i];
        }
        z[s] = problem->sign[i] * dot;
    }
}

static void class_margins(const struct problem *problem, struct selection rows, const double *v,
                          double *z)
{
    for (uint32_t s = 0; s < rows.count; s++) {
        const struct sparse x = problem_row(problem, selected(&rows, s));

        problem_dots(problem, &x, v, z + s * problem->classes);
    }
}

/* Margins at work, by blocks of rows. */
struct margins_run {
    const struct problem *problem;
    struct selection rows;
    const double *v;
    double *z;
    uint32_t block;
};

static void find_margins(void *context, size_t block, unsigned thread)
{
    const struct margins_run *run = context;
    const uint32_t first = (uint32_t)block * run->block;
    const uint32_t rest = run->rows.count - first;
    const struct selection some = {run->rows.row ? run->rows.row + first : NULL,
                                   rest < run->block ? rest : run->block};
    struct problem part = *run->problem;

    (void)thread;
    if (!some.row)
        part = problem_from(run->problem, first);
    if (part.classes > 0)
        class_margins(&part, some, run->v, run->z + first * part.classes);
    else
        WITH_ROWS(some, margins(&part, ROWS, run->v, run->z + first));
}

void sums_margins(const struct shards *shards, const struct problem *problem, struct selection rows,
                  const double *v, double *z)
{
    enum { BLOCKS = 16 }; /* for each thread: rows are of different lengths */
    const uint32_t blocks = shards->threads > 1 ? BLOCKS * shards->threads : 1;
    const struct own_rows own = own_places(problem, rows);
    const struct problem part = problem_from(problem, own.first);
    const size_t count = own.end - own.first, block = count / blocks + 1;
    struct margins_run run = {&part, rows, v, z + own.first * problem_outputs(problem),
                              (uint32_t)block};

    run.rows.count = (uint32_t)count;
    parallel_run(shards->threads, count / block + 1, find_margins, NULL, &run);
}

/* The point that sums over all rows are taken at. */
struct point {
    const struct problem *problem;
    const double *w;
    const double *alpha;
    double *z; /* [rows] where the margins are left; NULL: nowhere */
};

enum { SOME_ROWS = 256 }; /* rows whose margins are computed before their terms are */

/* The margins of rows first .. end - 1. */
static void margins_of_some(const struct point *point, uint32_t first, uint32_t end, double *z)
{
    const struct problem part = problem_from(point->problem, first);

    margins(&part, (struct selection){NULL, end - first}, point->w, z);
}

static ALWAYS_INLINE void add_terms_as(const struct point *point, uint32_t first, uint32_t end,
                                       double *scalars, enum loss loss)
{
    struct sum value = {0, 0}, conjugate = {0, 0};
    double some[SOME_ROWS] = {0}, gap = 0;

    for (uint32_t start = first, stop; start < end; start = stop) {
        double *z = point->z ? point->z + start : some;

        stop = end - start < SOME_ROWS ? end : start + SOME_ROWS;
        margins_of_some(point, start, stop, z);
        for (uint32_t i = start; i < stop; i++) {
            const double cost = point->problem->cost[i];
            const double target = problem_target(point->problem, i, loss);
            const double slack = target - z[i - start];

            sum_add(&value, loss_value(loss, cost, slack));
            if (!point->alpha)
                continue;
            sum_add(&conjugate, loss_conjugate(loss, cost, target, point->alpha[i]));
            gap += loss_gap(loss, loss_scale(loss, cost), point->alpha[i], slack);
        }
    }
    scalars[0] += sum_value(&value);
    scalars[1] += sum_value(&conjugate);
    scalars[2] += gap;
}

/* The same with classes. */
static void add_class_terms(const struct point *point, const struct shard *shard)
{
    double *const scalars = shard->scalars;
    const struct problem *problem = point->problem;
    const size_t k = problem->classes;
    struct sum value = {0, 0}, conjugate = {0, 0};
    double *const z = shard->room;

    for (uint32_t i = shard->first; i < shard->end; i++) {
        const struct sparse x = problem_row(problem, i);
        struct class_terms terms;

        problem_dots(problem, &x, point->w, z);
        terms = class_terms(problem->loss, k, problem->cost[i], z, problem->class_of[i],
                            point->alpha ? point->alpha + i * k : NULL);
        sum_add(&value, terms.value);
        sum_add(&conjugate, terms.conjugate);
        scalars[2] += terms.gap;
    }
    scalars[0] += sum_value(&value);
    scalars[1] += sum_value(&conjugate);
}

static void add_terms(void *context, const struct shard *shard)
{
    const struct point *point = context;

    if (point->problem->classes > 0) {
        add_class_terms(point, shard);
        return;
    }
    WITH_LOSS(point->problem->loss,
              add_terms_as(point, shard->first, shard->end, shard->scalars, LOSS));
}

struct row_terms sums_terms(const struct shards *shards, const struct problem *problem,
                            const double *w, const double *alpha)
{
    return sums_terms_margins(shards, problem, w, alpha, NULL);
}

struct row_terms sums_terms_margins(const struct shards *shards, const struct problem *problem,
                                    const double *w, const double *alpha, double *z)
{
    struct point point = {problem, w, alpha, z};
    double scalars[MOST_SCALARS];

    sums_run(shards, all_rows(problem), add_terms, &point, scalars, NULL);
    return (struct row_terms){scalars[0], scalars[1], scalars[2]};
}

static void add_conjugates(void *context, const struct shard *shard)
{
    const struct point *point = context;
    const enum loss loss = point->problem->loss;
    const size_t k = point->problem->classes;
    struct sum total = {0, 0};

    for (uint32_t i = shard->first; i < shard->end; i++)
        sum_add(&total,
                k > 0 ? class_conjugate(loss, k, point->problem->cost[i],
                                        point->problem->class_of[i], point->alpha + i * k)
                      : loss_conjugate(loss, point->problem->cost[i],
                                       problem_target(point->problem, i, loss), point->alpha[i]));
    shard->scalars[0] += sum_value(&total);
}

double sums_conjugates(const struct shards *shards, const struct problem *problem,
                       const double *alpha)
{
    struct point point = {problem, NULL, alpha, NULL};
    double scalars[MOST_SCALARS];

    sums_run(shards, all_rows(problem), add_conjugates, &point, scalars, NULL);
    return scalars[0];
}

/* Of rows first .. end - 1, z[end - first]. */
static ALWAYS_INLINE void violations_as(const struct problem *problem, const double *z,
                                        const double *alpha, uint32_t first, uint32_t end,
                                        struct violations *violations, enum loss loss)
{
    for (uint32_t i = first; i < end; i++) {
        const double scale = loss_scale(loss, problem->cost[i]);
        const double slack = problem_target(problem, i, loss) - z[i - first];
        const double violation = loss_violation(loss, scale, alpha[i], slack);

        violations->largest = violation > violations->largest ? violation : violations->largest;
        violations->smallest = violation < violations->smallest ? violation : violations->smallest;
        violations->total += fabs(violation);
    }
}

/* Violations of shards; z NULL: margins are those of the point. */
struct violations_run {
    struct point point;
    const double *z;
    double largest[MOST_SHARDS];
    double smallest[MOST_SHARDS];
};

static void add_violations(void *context, const struct shard *shard)
{
    struct violations_run *run = context;
    const struct problem *problem = run->point.problem;
    struct violations found = {-HUGE_VAL, HUGE_VAL, 0};
    double some[SOME_ROWS] = {0};

    for (uint32_t start = shard->first, stop; start < shard->end; start = stop) {
        stop = shard->end - start < SOME_ROWS ? shard->end : start + SOME_ROWS;
        if (!run->z)
            margins_of_some(&run->point, start, stop, some);
        WITH_LOSS(problem->loss, violations_as(problem, run->z ? run->z + start : some,
                                               run->point.alpha, start, stop, &found, LOSS));
    }
    run->largest[shard->number] = found.largest;
    run->smallest[shard->number] = found.smallest;
    shard->scalars[0] += found.total;
}

static struct violations row_violations(const struct shards *shards, struct point point,
                                        const double *z)
{
    struct violations found = {-HUGE_VAL, HUGE_VAL, 0};
    double scalars[MOST_SCALARS];
    struct violations_run run;

    run.point = point;
    run.z = z;
    for (unsigned k = 0; k < shards->count; k++) {
        run.largest[k] = -HUGE_VAL;
        run.smallest[k] = HUGE_VAL;
    }
    sums_run(shards, all_rows(point.problem), add_violations, &run, scalars, NULL);
    for (unsigned k = 0; k < shards->count; k++) {
        found.largest = fmax(found.largest, run.largest[k]);
        found.smallest = fmin(found.smallest, run.smallest[k]);
    }
    found.largest = team_largest(shards->team, found.largest);
    found.smallest = -team_largest(shards->team, -found.smallest);
    found.total = scalars[0];
    return found;
}

struct violations sums_violations_at(const struct shards *shards, const struct problem *problem,
                                     const double *z, const double *alpha)
{
    return row_violations(shards, (struct point){problem, NULL, alpha, NULL}, z);
}

/* With classes, of the hinge: none is negative. */
static struct violations class_violations(const struct point *point, double *room)
{
    const struct problem *problem = point->problem;
    const size_t k = problem->classes;
    struct violations violations = {0, 0, 0};

    for (uint32_t i = 0; i < problem->rows; i++) {
        const struct sparse x = problem_row(problem, i);
        double violation;

        problem_dots(problem, &x, point->w, room);
        singer_gains(k, room, problem->class_of[i], room);
        violation =
            singer_violation(k, problem->cost[i], room, problem->class_of[i], point->alpha + i * k);
        violations.largest = fmax(violations.largest, violation);
        violations.total += violation;
    }
    return violations;
}

struct violations sums_violations(const struct shards *shards, const struct problem *problem,
                                  const double *w, const double *alpha)
{
    const struct point point = {problem, w, alpha, NULL};

    return problem->classes > 0 ? class_violations(&point, shards->room)
                                : row_violations(shards, point, NULL);
}
