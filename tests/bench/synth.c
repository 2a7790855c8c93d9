/* synth.c - data sets of any size, made from a seed: LIBSVM lines like RCV1's or covtype's, or
 * dense.
 *
 * usage: synth rcv1 ROWS [FEATURES [NONZEROS_PER_ROW]] [--ones] [--seed N] [--output FILE]
 *        synth covtype ROWS [--seed N] [--output FILE]
 *        synth dense ROWS [FEATURES [CLASSES]] [--seed N] [--output FILE]
 * All arithmetic is on unsigned integers of fixed width, logarithm and square root included, so the
 * bytes depend on the arguments alone and not on compiler, machine or libm. Exit status: 0 done,
 * 2 usage, 3 output not written, 4 out of memory.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DONE = 0, USAGE = 2, UNWRITABLE = 3, NO_MEMORY = 4 };

/* Keeps the sum of squares of a row, below, within 64 bits. */
#define MOST_FEATURES 50000000
#define MOST_DENSE    20000 /* mixtures are kept in memory */

/* ---- Random numbers: splitmix64 ---- */

struct random {
    uint64_t state;
};

static uint64_t draw(struct random *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* In 0 .. n - 1. */
static uint32_t draw_below(struct random *random, uint32_t n)
{
    return (uint32_t)(((draw(random) >> 32) * n) >> 32);
}

/* ---- Output: in blocks, numbers by hand; printf would take most of the time ---- */

#define BLOCK   262144
#define LONGEST 64 /* bytes that one call below appends, at most */

struct output {
    FILE *file;
    size_t used;
    int failed;
    char digits[200]; /* 00 01 .. 99 */
    char block[BLOCK];
};

static void flush_block(struct output *out)
{
    if (!out->failed && fwrite(out->block, 1, out->used, out->file) != out->used)
        out->failed = errno ? errno : EIO;
    out->used = 0;
}

/* Where the next bytes go: there is room for LONGEST. */
static char *room(struct output *out)
{
    if (out->used > BLOCK - LONGEST)
        flush_block(out);
    return out->block + out->used;
}

static void append(struct output *out, const char *text, size_t length)
{
    memcpy(room(out), text, length);
    out->used += length;
}

/* " INDEX:" */
static void append_index(struct output *out, uint32_t index)
{
    char text[10], *at = room(out);
    size_t start = sizeof text, length;

    for (; index >= 100; index /= 100)
        memcpy(text + (start -= 2), out->digits + index % 100 * 2, 2);
    memcpy(text + (start -= 2), out->digits + index * 2, 2);
    start += index < 10;
    length = sizeof text - start;
    *at = ' ';
    memcpy(at + 1, text + start, length);
    at[1 + length] = ':';
    out->used += length + 2;
}

/* millionths of ten, 0 .. 10^7: "0.1234567", or "1". */
static void append_seven(struct output *out, uint32_t value)
{
    char *at = room(out);

    if (value >= 10000000) {
        append(out, "1", 1);
        return;
    }
    at[0] = '0';
    at[1] = '.';
    at[2] = (char)('0' + value / 1000000);
    memcpy(at + 3, out->digits + value / 10000 % 100 * 2, 2);
    memcpy(at + 5, out->digits + value / 100 % 100 * 2, 2);
    memcpy(at + 7, out->digits + value % 100 * 2, 2);
    out->used += 9;
}

/* Ten-thousandths, 1 .. 9999, without zeros at the end: "0.25". */
static void append_four(struct output *out, uint32_t value)
{
    char *at = room(out);
    size_t length = 6;

    at[0] = '0';
    at[1] = '.';
    memcpy(at + 2, out->digits + value / 100 * 2, 2);
    memcpy(at + 4, out->digits + value % 100 * 2, 2);
    while (at[length - 1] == '0')
        length--;
    out->used += length;
}

/* ---- Integer arithmetic ---- */

/* 256 log2(x / y) for x >= y > 0, truncated: bit by bit, by squaring. */
static uint32_t log2_ratio(uint64_t x, uint64_t y)
{
    uint64_t mantissa;
    uint32_t result = 0;

    for (; x >= 2 * y; y *= 2)
        result += 256;
    mantissa = (x << 30) / y; /* in [2^30, 2^31) */
    for (uint32_t bit = 128; bit; bit /= 2) {
        mantissa = (mantissa * mantissa) >> 30;
        if (mantissa >> 31) {
            mantissa >>= 1;
            result += bit;
        }
    }
    return result;
}

static uint64_t square_root(uint64_t x)
{
    uint64_t root = 0;

    for (uint64_t bit = (uint64_t)1 << 62; bit; bit >>= 2) {
        if (x >= root + bit) {
            x -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    return root;
}

/* ---- A set of features, by bits, with two levels of bits above: listed in order at once ---- */

struct set {
    uint64_t *level[3];
    uint32_t words[3];
    uint8_t place[64]; /* of a single bit, by de Bruijn's sequence */
};

#define DE_BRUIJN 0x03f79d71b4cb0a89u

/* The lowest bit's number; takes it away. */
static uint32_t take_bit(const struct set *set, uint64_t *word)
{
    uint64_t bit = *word & (~*word + 1);

    *word ^= bit;
    return set->place[(bit * DE_BRUIJN) >> 58];
}

static int set_create(struct set *set, uint32_t features)
{
    uint32_t n = features;

    for (uint32_t i = 0; i < 64; i++)
        set->place[((uint64_t)DE_BRUIJN << i) >> 58] = (uint8_t)i;
    for (int i = 0; i < 3; i++) {
        n = (n + 63) / 64;
        set->words[i] = n;
        set->level[i] = calloc(n, sizeof *set->level[i]);
    }
    return set->level[0] && set->level[1] && set->level[2];
}

static int set_has(const struct set *set, uint32_t j)
{
    return set->level[0][j / 64] >> (j % 64) & 1;
}

static void set_add(struct set *set, uint32_t j)
{
    for (int i = 0; i < 3; i++, j /= 64)
        set->level[i][j / 64] |= (uint64_t)1 << (j % 64);
}

/* Lists the set in order and empties it; returns how many there were. */
static uint32_t set_take(struct set *set, uint32_t *list)
{
    uint32_t n = 0;

    for (uint32_t a = 0; a < set->words[2]; a++) {
        uint64_t upper = set->level[2][a];

        set->level[2][a] = 0;
        while (upper) {
            uint32_t b = a * 64 + take_bit(set, &upper);
            uint64_t middle = set->level[1][b];

            set->level[1][b] = 0;
            while (middle) {
                uint32_t c = b * 64 + take_bit(set, &middle);
                uint64_t lower = set->level[0][c];

                set->level[0][c] = 0;
                while (lower)
                    list[n++] = c * 64 + take_bit(set, &lower);
            }
        }
    }
    return n;
}

static void set_free(struct set *set)
{
    for (int i = 0; i < 3; i++)
        free(set->level[i]);
}

/* ---- Like RCV1 ----
 *
 * The feature of rank r has probability proportional to 1/(r + FLAT); ranks are dealt to features
 * at random. Walker's alias table draws one with one look. Three of eight of the first TELLING
 * ranks belong to a class. A row's class is drawn first, then its words; one that belongs to the
 * other class is mostly drawn again. So the classes differ by a sparse linear function, and rows
 * with few telling words are hard.
 */

#define FLAT         30
#define TELLING      4096 /* the first ranks, where class words are */
#define UNIT         ((uint32_t)1 << 30)
#define MOST_REPEATS 16

struct cell {
    uint32_t threshold; /* of 2^24; above it, alias */
    uint32_t alias;
};

struct text {
    uint32_t features;
    uint32_t nonzeros; /* of a row, on average */
    int ones;
    struct random random;
    struct set set;
    struct cell *cell;
    uint32_t *weight;  /* of the draw */
    uint16_t *rarity;  /* the idf: 256 (1 + log2 of how much rarer than the commonest) */
    int8_t *side;      /* 1, -1: a word of that class */
    uint8_t *repeats;  /* in the row at hand */
    uint32_t *row;     /* its features */
    uint32_t *product; /* tf times idf */
};

/* 16 (1 + ln n) */
static const uint32_t frequency[MOST_REPEATS + 1] = {0,  16, 27, 34, 38, 42, 45, 47, 49,
                                                     51, 53, 54, 56, 57, 58, 59, 60};

static int text_allocate(struct text *text)
{
    size_t n = text->features;

    text->cell = calloc(n, sizeof *text->cell);
    text->weight = calloc(n, sizeof *text->weight);
    text->rarity = calloc(n, sizeof *text->rarity);
    text->side = calloc(n, sizeof *text->side);
    text->repeats = calloc(n, sizeof *text->repeats);
    text->row = calloc(n, sizeof *text->row);
    text->product = calloc(n, sizeof *text->product);
    return set_create(&text->set, text->features) && text->cell && text->weight && text->rarity &&
           text->side && text->repeats && text->row && text->product;
}

static void text_free(struct text *text)
{
    set_free(&text->set);
    free(text->cell);
    free(text->weight);
    free(text->rarity);
    free(text->side);
    free(text->repeats);
    free(text->row);
    free(text->product);
}

/* Deals the ranks, and with them all that a feature is. */
static void deal_ranks(struct text *text)
{
    for (uint32_t r = 0; r < text->features; r++) {
        uint32_t j = draw_below(&text->random, r + 1); /* shuffles inside out */

        text->weight[r] = text->weight[j];
        text->weight[j] = UNIT / (r + FLAT);
    }
    for (uint32_t j = 0; j < text->features; j++) {
        uint64_t z = draw(&text->random);

        text->rarity[j] = (uint16_t)(256 + log2_ratio(UNIT / FLAT, text->weight[j]));
        if (text->weight[j] >= UNIT / (TELLING + FLAT) && z >> 63)
            text->side[j] = z & 1 ? 1 : -1;
    }
}

/* Walker's table in Vose's order. Every cell holds total; what feature j has is weight * features.
 */
static int build_table(struct text *text)
{
    uint32_t n = text->features, poor = 0, rich = n;
    uint64_t total = 0, *has = malloc(n * sizeof *has);
    uint32_t *stack =
        text->row; /* not in use yet: poor features from below, rich ones from above */

    if (!has)
        return 0;
    for (uint32_t j = 0; j < n; j++)
        total += text->weight[j];
    for (uint32_t j = 0; j < n; j++) {
        text->cell[j].threshold = 0;
        text->cell[j].alias = j;
        has[j] = (uint64_t)text->weight[j] * n;
        stack[has[j] < total ? poor++ : --rich] = j;
    }
    while (poor > 0 && rich < n) {
        uint32_t from = stack[rich], to = stack[--poor];

        text->cell[to].threshold = (uint32_t)((has[to] << 24) / total);
        text->cell[to].alias = from;
        has[from] -= total - has[to];
        if (has[from] < total) {
            rich++;
            stack[poor++] = from;
        }
    }
    free(has);
    return 1;
}

/* A word of a row of this class: one of the other class is drawn again, seven times of eight. */
static uint32_t draw_word(struct text *text, int class)
{
    uint32_t j;
    uint64_t z;

    do {
        const struct cell *cell;

        z = draw(&text->random);
        j = (uint32_t)(((z >> 32) * text->features) >> 32);
        cell = text->cell + j;
        if (((z >> 8) & 0xffffff) >= cell->threshold)
            j = cell->alias;
    } while (text->side[j] == -class && (z & 7));
    return j;
}

/* From a quarter of the average to 13 quarters, skewed, where there are so many features. */
static uint32_t draw_length(struct text *text)
{
    uint64_t average = text->nonzeros, z = draw(&text->random);
    uint64_t skewed = ((z >> 32) * (z & 0xffffffff)) >> 32; /* of 2^32, 1/4 on average */

    if (average < 4 || average * 13 / 4 > text->features)
        return (uint32_t)average;
    return (uint32_t)((average * 64 + ((average * 12 * skewed) >> 26) + 128) / 256);
}

/* need more features, uniformly from those that the row has not: Knuth's selection sampling. */
static void fill_row(struct text *text, uint32_t need, uint32_t absent)
{
    for (uint32_t j = 0; need > 0; j++) {
        if (set_has(&text->set, j))
            continue;
        if (draw_below(&text->random, absent--) < need) {
            set_add(&text->set, j);
            text->repeats[j] = 1;
            need--;
        }
    }
}

/* Draws words until there are length different ones; where four times as many draws have not been
 * enough, the row is a good part of all features, and the sweep over them is cheap. */
static void draw_row(struct text *text, int class, uint32_t length)
{
    uint32_t have = 0;

    for (uint64_t left = (uint64_t)length * 4; left > 0 && have < length; left--) {
        uint32_t j = draw_word(text, class);
        uint8_t repeats = text->repeats[j];

        if (repeats == 0) {
            set_add(&text->set, j);
            have++;
        }
        text->repeats[j] = (uint8_t)(repeats + (repeats < MOST_REPEATS));
    }
    fill_row(text, length - have, text->features - have);
}

/* The row's tf-idf values, of norm 1, as seven decimals. */
static void append_values(struct text *text, struct output *out, uint32_t length)
{
    uint64_t squares = 0, norm;
    int shift = 0;

    for (uint32_t i = 0; i < length; i++) {
        uint32_t j = text->row[i];
        uint64_t product = text->rarity[j] * frequency[text->repeats[j]];

        text->product[i] = (uint32_t)product;
        text->repeats[j] = 0;
        squares += product * product;
    }
    for (; squares < (uint64_t)1 << 62; squares <<= 2) /* for all 32 bits of the root */
        shift++;
    norm = square_root(squares);
    for (uint32_t i = 0; i < length; i++) { /* product << shift is at most norm < 2^32 */
        uint64_t scaled = ((uint64_t)text->product[i] << shift) * 10000000;

        append_index(out, text->row[i] + 1);
        append_seven(out, (uint32_t)((scaled + norm / 2) / norm));
    }
}

static void append_ones(struct text *text, struct output *out, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        append_index(out, text->row[i] + 1);
        append(out, "1", 1);
        text->repeats[text->row[i]] = 0;
    }
}

static void write_row(struct text *text, struct output *out)
{
    uint64_t z = draw(&text->random);
    int class = z & 1 ? 1 : -1, label = (z >> 8) % 100 < 2 ? -class : class; /* 2 % are wrong */
    uint32_t length;

    draw_row(text, class, draw_length(text));
    length = set_take(&text->set, text->row);
    append(out, label > 0 ? "+1" : "-1", 2);
    if (text->ones)
        append_ones(text, out, length);
    else
        append_values(text, out, length);
    append(out, "\n", 1);
}

/* ---- Like covtype ----
 *
 * Ten measured features, each the mean of three uniform numbers, and one of four and one of forty
 * areas. The label is the sign of a linear function plus noise of about its own spread, which
 * leaves a quarter of the rows on the wrong side.
 */

#define MEASURED     10
#define FIRST_AREAS  4
#define SECOND_AREAS 40

static const int32_t slope[MEASURED] = {90, 15, -25, -20, 10, 45, 20, -15, -10, 40};

/* Of which an area is drawn with probability proportional to 1/(its number + flat). */
static uint32_t draw_area(struct random *random, uint32_t areas, uint32_t flat)
{
    uint32_t total = 0, at;

    for (uint32_t i = 0; i < areas; i++)
        total += 65536 / (i + flat);
    at = draw_below(random, total);
    for (uint32_t i = 0; i + 1 < areas; i++) {
        if (at < 65536 / (i + flat))
            return i;
        at -= 65536 / (i + flat);
    }
    return areas - 1;
}

static int32_t draw_noise(struct random *random, int32_t width)
{
    int32_t sum = 0;

    for (int i = 0; i < 4; i++)
        sum += (int32_t)draw_below(random, (uint32_t)width) - width / 2;
    return sum;
}

static void write_covtype_row(struct random *random, struct output *out)
{
    uint32_t measured[MEASURED], first, second;
    int32_t score = 0;

    for (int j = 0; j < MEASURED; j++) {
        measured[j] =
            (draw_below(random, 10000) + draw_below(random, 10000) + draw_below(random, 10000)) / 3;
        score += slope[j] * ((int32_t)measured[j] - 5000);
    }
    first = draw_area(random, FIRST_AREAS, 1);
    second = draw_area(random, SECOND_AREAS, 3);
    score += ((int32_t)first - 1) * 40000 + ((int32_t)(second * 7 % 20) - 10) * 12000;
    append(out, score + draw_noise(random, 380000) > 0 ? "1" : "2", 1);
    for (uint32_t j = 0; j < MEASURED; j++)
        if (measured[j] > 0) { /* at most 9999 */
            append_index(out, j + 1);
            append_four(out, measured[j]);
        }
    append_index(out, MEASURED + 1 + first);
    append(out, "1", 1);
    append_index(out, MEASURED + FIRST_AREAS + 1 + second);
    append(out, "1\n", 2);
}

/* ---- Dense ----
 *
 * Features in [-1, 1] that are correlated: each is a mixture of an eighth as many factors, of
 * falling weight, plus noise a tenth as large, clipped. Each class has its mean of the factors.
 * With many features for each row the classes can be separated, with few they overlap.
 */

struct dense {
    uint32_t features;
    uint32_t factors;
    uint32_t classes;
    struct random random;
    int32_t *mix;    /* [features][factors] */
    int32_t *mean;   /* [classes][factors] */
    int32_t *factor; /* [factors] of the row at hand */
};

static void write_dense_row(struct dense *dense, struct output *out)
{
    const uint32_t factors = dense->factors, class = draw_below(&dense->random, dense->classes);
    const int64_t root = (int64_t)square_root((uint64_t)factors * 10000);
    const char number[2] = {(char)('0' + class / 10), (char)('0' + class % 10)};

    if (dense->classes == 2)
        append(out, class ? "-1" : "+1", 2);
    else
        append(out, number + (class < 10), class < 10 ? 1 : 2);
    for (uint32_t k = 0; k < factors; k++)
        dense->factor[k] = (dense->mean[class * factors + k] + draw_noise(&dense->random, 512)) *
                           16 / (int32_t)(16 + 128 * k / factors);
    for (uint32_t j = 0; j < dense->features; j++) {
        int64_t value = 0;

        for (uint32_t k = 0; k < factors; k++)
            value += (int64_t)dense->mix[j * factors + k] * dense->factor[k];
        value = value * 16 / root - 3000 + draw_noise(&dense->random, 1732); /* ten-thousandths */
        if (value == 0)
            continue;
        append_index(out, j + 1);
        if (value < 0)
            append(out, "-", 1);
        if (value <= -10000 || value >= 10000)
            append(out, "1", 1);
        else
            append_four(out, (uint32_t)(value < 0 ? -value : value));
    }
    append(out, "\n", 1);
}

/* ---- The command line ---- */

enum kind { RCV1, COVTYPE, DENSE, KINDS };

static const char *const kind_name[KINDS] = {"rcv1", "covtype", "dense"};

struct arguments {
    enum kind kind;
    int ones;
    uint64_t number[3]; /* rows, features, non-zeros or classes */
    uint64_t seed;
    const char *path; /* or NULL: standard output */
};

static int usage(const char *problem)
{
    fprintf(stderr, "synth: %s\n", problem);
    fputs("usage: synth rcv1 ROWS [FEATURES [NONZEROS_PER_ROW]] [--ones] [options]\n"
          "       synth covtype ROWS [options]\n"
          "       synth dense ROWS [FEATURES [CLASSES]] [options]\n"
          "options: --seed N, --output FILE\n",
          stderr);
    return USAGE;
}

/* Digits alone, without overflow. */
static int read_number(const char *text, uint64_t *number)
{
    uint64_t n = 0;

    if (!*text)
        return 0;
    for (; *text; text++) {
        uint64_t digit = (uint64_t)(*text - '0');

        if (*text < '0' || *text > '9' || n > (UINT64_MAX - digit) / 10)
            return 0;
        n = n * 10 + digit;
    }
    *number = n;
    return 1;
}

/* Returns what is wrong, or NULL. */
static const char *read_arguments(int argc, char **argv, struct arguments *arguments)
{
    int numbers = 0, kind = 0;

    while (kind < KINDS && (argc < 2 || strcmp(argv[1], kind_name[kind]) != 0))
        kind++;
    if (kind == KINDS)
        return "neither rcv1 nor covtype nor dense";
    arguments->kind = (enum kind)kind;
    if (kind == DENSE) {
        arguments->number[1] = 100;
        arguments->number[2] = 2;
    }
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--ones") == 0 && kind == RCV1)
            arguments->ones = 1;
        else if (strcmp(argv[i], "--output") == 0 && i + 1 < argc)
            arguments->path = argv[++i];
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
            if (!read_number(argv[++i], &arguments->seed))
                return "the seed is not a number";
        } else if (numbers >= (kind == COVTYPE ? 1 : 3) ||
                   !read_number(argv[i], &arguments->number[numbers++]))
            return "an argument that is no option and no number, or one too many";
    }
    if (numbers == 0)
        return "no number of rows";
    if (kind == DENSE && (arguments->number[1] < 1 || arguments->number[1] > MOST_DENSE))
        return "features: 1 .. 20000";
    if (kind == DENSE && (arguments->number[2] < 2 || arguments->number[2] > 100))
        return "classes: 2 .. 100";
    if (arguments->number[1] < 1 || arguments->number[1] > MOST_FEATURES)
        return "features: 1 .. 50000000";
    if (kind == RCV1 && (arguments->number[2] < 1 || arguments->number[2] > arguments->number[1]))
        return "non-zeros of a row: 1 .. features";
    return NULL;
}

static int write_covtype(const struct arguments *arguments, struct output *out)
{
    struct random random = {arguments->seed};

    for (uint64_t i = 0; i < arguments->number[0] && !out->failed; i++)
        write_covtype_row(&random, out);
    return DONE;
}

static int write_dense(const struct arguments *arguments, struct output *out)
{
    struct dense dense = {.random = {arguments->seed}};
    int status = NO_MEMORY;

    dense.features = (uint32_t)arguments->number[1];
    dense.classes = (uint32_t)arguments->number[2];
    dense.factors = dense.features / 8 + 2;
    dense.mix = calloc((size_t)dense.features * dense.factors, sizeof *dense.mix);
    dense.mean = calloc((size_t)dense.classes * dense.factors, sizeof *dense.mean);
    dense.factor = calloc(dense.factors, sizeof *dense.factor);
    if (dense.mix && dense.mean && dense.factor) {
        for (uint32_t k = 0; k < dense.features * dense.factors; k++)
            dense.mix[k] = draw_noise(&dense.random, 512);
        for (uint32_t k = 0; k < dense.classes * dense.factors; k++)
            dense.mean[k] = draw_noise(&dense.random, 256);
        for (uint64_t i = 0; i < arguments->number[0] && !out->failed; i++)
            write_dense_row(&dense, out);
        status = DONE;
    }
    free(dense.mix);
    free(dense.mean);
    free(dense.factor);
    return status;
}

static int write_text(const struct arguments *arguments, struct output *out)
{
    struct text text = {0};
    int status = NO_MEMORY;

    text.features = (uint32_t)arguments->number[1];
    text.nonzeros = (uint32_t)arguments->number[2];
    text.ones = arguments->ones;
    text.random.state = arguments->seed;
    if (text_allocate(&text)) {
        deal_ranks(&text);
        if (build_table(&text)) {
            for (uint64_t i = 0; i < arguments->number[0] && !out->failed; i++)
                write_row(&text, out);
            status = DONE;
        }
    }
    text_free(&text);
    return status;
}

static int write_all(const struct arguments *arguments, struct output *out)
{
    static int (*const write[KINDS])(const struct arguments *,
                                     struct output *) = {write_text, write_covtype, write_dense};
    int status;

    for (int i = 0; i < 100; i++) {
        out->digits[2 * i] = (char)('0' + i / 10);
        out->digits[2 * i + 1] = (char)('0' + i % 10);
    }
    status = write[arguments->kind](arguments, out);
    flush_block(out);
    if (fclose(out->file) != 0 && !out->failed)
        out->failed = errno ? errno : EIO;
    if (status == NO_MEMORY)
        fputs("synth: out of memory\n", stderr);
    else if (out->failed) {
        fprintf(stderr, "synth: cannot write: %s\n", strerror(out->failed));
        status = UNWRITABLE;
    }
    return status;
}

int main(int argc, char **argv)
{
    static struct output out;
    struct arguments arguments = {RCV1, 0, {0, 47236, 74}, 1, NULL};
    const char *problem = read_arguments(argc, argv, &arguments);

    if (problem)
        return usage(problem);
    out.file = arguments.path ? fopen(arguments.path, "wb") : stdout;
    if (!out.file) {
        fprintf(stderr, "synth: %s: %s\n", arguments.path, strerror(errno));
        return UNWRITABLE;
    }
    return write_all(&arguments, &out);
}
