/* synth.c - makes data sets of any size from a seed, in LIBSVM's format: rows like RCV1's or
 * covtype's, dense rows, and kinds that are hard to train on.
 *
 * usage: synth rcv1 ROWS [FEATURES [NONZEROS_PER_ROW]] [--ones] [--seed N] [--output FILE]
 *        synth covtype ROWS [--seed N] [--output FILE]
 *        synth dense ROWS [FEATURES [CLASSES]] [--seed N] [--output FILE]
 *        synth counts ROWS [FEATURES [NONZEROS_PER_ROW]] [--seed N] [--output FILE]
 *        synth raw|blocks|phrases ROWS [FEATURES] [--seed N] [--output FILE]
 * All arithmetic, including logarithm and square root, is on integers of fixed width, so the bytes
 * depend on the arguments, but not on compiler, machine or libm. Exit status: 0 done,
 * 2 usage, 3 output not written, 4 out of memory.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DONE = 0, USAGE = 2, UNWRITABLE = 3, NO_MEMORY = 4 };

/* The sum of squares of a row (append_values) must fit in 64 bits. */
#define MOST_FEATURES 50000000
#define MOST_DENSE    20000 /* the mixtures of all features are in memory */

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

static uint32_t draw_below(struct random *random, uint32_t n)
{
    return (uint32_t)(((draw(random) >> 32) * n) >> 32);
}

/* ---- Arguments ---- */

enum kind { RCV1, COVTYPE, DENSE, COUNTS, RAW, BLOCKS, PHRASES, KINDS };

struct arguments {
    enum kind kind;
    int ones;
    uint64_t number[3]; /* rows, features, non-zeros or classes */
    uint64_t seed;
    const char *path; /* NULL: standard output */
};

/* ---- Output in blocks, without printf, which would take most of the time ---- */

#define BLOCK   262144
#define LONGEST 64 /* most bytes that one call appends */

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

/* Returns the place for the next bytes, with room for LONGEST bytes. */
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

static void append_number(struct output *out, uint32_t number)
{
    char text[10];
    size_t start = sizeof text;

    for (; number >= 100; number /= 100)
        memcpy(text + (start -= 2), out->digits + number % 100 * 2, 2);
    memcpy(text + (start -= 2), out->digits + number * 2, 2);
    start += number < 10;
    append(out, text + start, sizeof text - start);
}

static void append_index(struct output *out, uint32_t index)
{
    append(out, " ", 1);
    append_number(out, index);
    append(out, ":", 1);
}

/* Appends a number of ten-millionths, 0 .. 10^7, as "0.1234567" or "1". */
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

/* Appends a number of ten-thousandths, 1 .. 9999, without zeros at the end: "0.25". */
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

/* Returns 256 log2(x / y) for x >= y > 0, truncated. Computes it bit by bit, by squaring. */
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

/* ---- A set of features as bits; two more levels of bits find them quickly in order ---- */

struct set {
    uint64_t *level[3];
    uint32_t words[3];
    uint8_t place[64]; /* number of a single bit, indexed by de Bruijn's sequence */
};

#define DE_BRUIJN 0x03f79d71b4cb0a89u

/* Clears the lowest bit and returns its number. */
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

/* Lists the set in order and empties it. Returns the number of features in it. */
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
 * The feature of rank r has probability proportional to 1/(r + FLAT). Ranks are dealt to features
 * at random. Walker's alias table draws a feature with one look-up. Half of the first TELLING ranks
 * belong to a class. A row's class is drawn first, then its words. A word of the other class is
 * drawn again, seven times of eight. So the classes differ by a sparse linear function, and rows
 * with few telling words are hard.
 */

#define FLAT         30   /* 1 for counts */
#define TELLING      4096 /* number of first ranks among which words of a class are */
#define UNIT         ((uint32_t)1 << 30)
#define MOST_REPEATS 16
#define MOST_COUNT   3000 /* largest count of a word in a row of counts */

struct cell {
    uint32_t threshold; /* random numbers of 24 bits from here on draw alias */
    uint32_t alias;
};

struct text {
    uint32_t features;
    uint32_t nonzeros; /* average number in a row */
    uint32_t flat;
    int ones;
    int counts; /* values are numbers of repeats, up to MOST_COUNT */
    struct random random;
    struct set set;
    struct cell *cell;
    uint32_t *weight;  /* proportional to the feature's probability */
    uint16_t *rarity;  /* the idf: 256 (1 + log2(largest weight / weight)) */
    int8_t *side;      /* 1 or -1: the feature is a word of that class; 0: of both */
    uint16_t *repeats; /* number of times that the feature is in the current row */
    uint32_t *row;     /* features of the current row */
    uint32_t *product; /* tf times idf of each feature in row */
};

/* 16 (1 + ln n), rounded, for n repeats. */
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

/* Deals the ranks to features, which gives each feature its weight, rarity and class. */
static void deal_ranks(struct text *text)
{
    for (uint32_t r = 0; r < text->features; r++) {
        uint32_t j = draw_below(&text->random, r + 1); /* shuffles inside out */

        text->weight[r] = text->weight[j];
        text->weight[j] = UNIT / (r + text->flat);
    }
    for (uint32_t j = 0; j < text->features; j++) {
        uint64_t z = draw(&text->random);

        text->rarity[j] = (uint16_t)(256 + log2_ratio(UNIT / text->flat, text->weight[j]));
        if (text->weight[j] >= UNIT / (TELLING + text->flat) && z >> 63)
            text->side[j] = z & 1 ? 1 : -1;
    }
}

/* Builds Walker's table in Vose's order. Feature j has weight * features to distribute, and every
 * cell gets `total`. Returns 0 if there is no memory. */
static int build_table(struct text *text)
{
    uint32_t n = text->features, poor = 0, rich = n;
    uint64_t total = 0, *has = malloc(n * sizeof *has);
    uint32_t *stack =
        text->row; /* not yet in use; poor features from below, rich features from above */

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

/* Draws a word for a row of this class. Seven times of eight, it replaces a word of the other. */
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

/* Returns the length of a text. With many features, lengths are skewed and range from a quarter of
 * the average to 13 quarters. */
static uint32_t draw_length(struct text *text)
{
    uint64_t average = text->nonzeros, z = draw(&text->random);
    uint64_t skewed = ((z >> 32) * (z & 0xffffffff)) >> 32; /* below 2^32, on average 2^30 */

    if (text->counts && draw_below(&text->random, 64) == 0)
        average *= 8;
    if (average < 4 || average * 13 / 4 > text->features)
        return (uint32_t)(average < text->features ? average : text->features);
    return (uint32_t)((average * 64 + ((average * 12 * skewed) >> 26) + 128) / 256);
}

/* Adds `need` features to the row, drawn uniformly from the `absent` features that it lacks, by
 * Knuth's selection sampling. */
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

/* Returns 2^k with probability 2^(-k-1), because a word of a text often comes again. */
static uint32_t draw_burst(struct random *random)
{
    uint32_t burst = 1;

    for (uint64_t z = draw(random); z & 1 && burst < MOST_COUNT / 2; z >>= 1)
        burst *= 2;
    return burst;
}

/* Draws words until the row has `length` different ones, but at most 4 * length times (16 * length
 * for counts, whose commonest words come often). Other features replace the missing ones. */
static void draw_row(struct text *text, int class, uint32_t length)
{
    const uint32_t most = text->counts ? MOST_COUNT : MOST_REPEATS;
    uint32_t have = 0;

    for (uint64_t left = (uint64_t)length * (text->counts ? 16 : 4); left > 0 && have < length;
         left--) {
        const uint32_t j = draw_word(text, class);
        uint32_t repeats = text->repeats[j];

        if (repeats == 0) {
            set_add(&text->set, j);
            have++;
        }
        repeats += text->counts ? draw_burst(&text->random) : 1;
        text->repeats[j] = (uint16_t)(repeats < most ? repeats : most);
    }
    fill_row(text, length - have, text->features - have);
}

/* Appends the row's tf-idf values, scaled to norm 1, with seven decimals. */
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
    for (; squares < (uint64_t)1 << 62; squares <<= 2) /* so that the root has 32 bits */
        shift++;
    norm = square_root(squares);
    for (uint32_t i = 0; i < length; i++) { /* product << shift is at most norm < 2^32 */
        uint64_t scaled = ((uint64_t)text->product[i] << shift) * 10000000;

        append_index(out, text->row[i] + 1);
        append_seven(out, (uint32_t)((scaled + norm / 2) / norm));
    }
}

/* Appends the values 1, or for counts the number of times that each word was drawn. */
static void append_counts(struct text *text, struct output *out, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        append_index(out, text->row[i] + 1);
        append_number(out, text->ones ? 1 : text->repeats[text->row[i]]);
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
    if (text->ones || text->counts)
        append_counts(text, out, length);
    else
        append_values(text, out, length);
    append(out, "\n", 1);
}

/* ---- Like covtype ----
 *
 * Ten measured features, each the mean of three uniform numbers, one area of four and one area of
 * forty. The label is the sign of a linear function plus noise of about the same spread, which puts
 * a quarter of the rows on the wrong side.
 */

#define MEASURED     10
#define FIRST_AREAS  4
#define SECOND_AREAS 40

static const int32_t slope[MEASURED] = {90, 15, -25, -20, 10, 45, 20, -15, -10, 40};

/* Draws an area. Area k has a probability proportional to 1/(k + flat). */
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
 * Features in [-1, 1] are correlated. Each is a mixture of factors with falling weights, plus noise
 * a tenth as large, clipped. There is one factor for eight features, and each class has its own
 * means of the factors. With many features the classes can be separated, with few they overlap.
 */

struct dense {
    uint32_t features;
    uint32_t factors;
    uint32_t classes;
    struct random random;
    int32_t *mix;    /* [features][factors] */
    int32_t *mean;   /* [classes][factors] */
    int32_t *factor; /* [factors] of the current row */
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

/* ---- Raw ----
 *
 * Each feature has a scale of its own, 1e-37 to 1e10, and log-normal values, half of the features
 * with signs. The label is the sign of the logarithms of the first features' values, plus noise.
 */

#define FIRST_DECADE  (-40) /* lowest exponent of a value with four digits */
#define DECADES       47
#define TELLING_FIRST 20

/* 1000 10^(k/16), rounded. */
static const uint32_t sixteenth[17] = {1000, 1155, 1334, 1540, 1778, 2054, 2371, 2738, 3162,
                                       3652, 4217, 4870, 5623, 6494, 7499, 8660, 10000};

static void write_raw_row(const struct arguments *arguments, struct random *random,
                          struct output *out)
{
    int32_t log[MOST_DENSE], score = draw_noise(random, 13);

    for (uint32_t j = 0; j < arguments->number[1]; j++) {
        log[j] = draw_noise(random, 13); /* in sixteenths of a decade; deviation 7, or a factor e */
        score += j < TELLING_FIRST ? log[j] : 0;
    }
    append(out, score > 0 ? "+1" : "-1", 2);
    for (uint32_t j = 0; j < arguments->number[1]; j++) {
        struct random own = {arguments->seed + j};
        const int32_t place = 16 * (int32_t)draw_below(&own, DECADES) + log[j] + 160;
        const uint32_t from = sixteenth[place % 16], to = sixteenth[place % 16 + 1];
        const int32_t decade = place / 16 - 10 + FIRST_DECADE;

        append_index(out, j + 1);
        if (draw(&own) & draw(random) & 1)
            append(out, "-", 1);
        append_number(out, from + draw_below(random, to - from));
        append(out, decade < 0 ? "e-" : "e", decade < 0 ? 2 : 1);
        append_number(out, (uint32_t)abs(decade));
    }
    append(out, "\n", 1);
}

/* ---- Blocks ----
 *
 * One-hot columns of categories, so the columns of a block add up to 1. Blocks have 2, 4, 8 ... 256
 * categories, then 2 again. Each fourth block repeats the block before it. The last feature is a
 * count. The label is the sign of a sum over the categories plus noise.
 */

static void write_blocks_row(const struct arguments *arguments, struct random *random,
                             struct output *out)
{
    const uint32_t columns = (uint32_t)arguments->number[1] - 1;
    uint32_t area[MOST_DENSE], first[MOST_DENSE], blocks = 0;
    struct random own;
    int32_t score = draw_noise(random, 2000);

    for (uint32_t at = 0, areas; at < columns; at += areas, blocks++) {
        areas = blocks % 4 == 3 ? at - first[blocks - 1] : (uint32_t)2 << blocks % 8;
        areas = areas < columns - at ? areas : columns - at;
        first[blocks] = at;
        area[blocks] = blocks % 4 == 3 && area[blocks - 1] < areas ? area[blocks - 1]
                                                                   : draw_area(random, areas, 3);
        own.state = arguments->seed + at + area[blocks];
        score += (int32_t)(draw(&own) % 2001) - 1000;
    }
    append(out, score > 0 ? "+1" : "-1", 2);
    for (uint32_t b = 0; b < blocks; b++) {
        append_index(out, first[b] + area[b] + 1);
        append(out, "1", 1);
    }
    append_index(out, columns + 1);
    append_number(out, draw_below(random, 20) * draw_below(random, 20) + 1);
    append(out, "\n", 1);
}

/* ---- Phrases ----
 *
 * Sentences of 8 to 31 words are split at random down to single words, and every part is a row.
 * A row has its words and its pairs of neighbouring words, with value 1. The label is the sign of
 * a sum over the words plus noise. Three quarters of the words are neutral.
 */

#define MOST_WORDS 31

struct phrases {
    uint32_t vocabulary;
    uint32_t pairs;
    uint64_t rows; /* number of rows left to write */
    struct random random;
    struct set set;
    uint32_t word[MOST_WORDS];
    uint32_t row[2 * MOST_WORDS];
};

/* Draws a rank r with a probability of about 1/r, up to a factor. */
static uint32_t draw_rank(struct random *random, uint32_t ranks)
{
    uint32_t rank, bits = 0;

    while (ranks >> bits)
        bits++;
    do
        rank = draw_below(random, bits), rank = (1u << rank) + draw_below(random, 1u << rank) - 1;
    while (rank >= ranks);
    return rank;
}

/* Writes words first .. end - 1 as a row, then both parts of them. */
static void write_phrase(struct phrases *phrases, struct output *out, uint32_t first, uint32_t end)
{
    int32_t score = draw_noise(&phrases->random, 600);
    uint32_t count, middle;

    if (phrases->rows == 0)
        return;
    phrases->rows--;
    for (uint32_t i = first; i < end; i++) {
        struct random own = {phrases->word[i]};
        const uint64_t z = draw(&own);

        score += z % 4 == 0 ? (int32_t)(z >> 8) % 1000 : 0;
        set_add(&phrases->set, phrases->word[i]);
        if (i == first)
            continue;
        own.state = (uint64_t)phrases->word[i - 1] << 32 | phrases->word[i];
        set_add(&phrases->set, phrases->vocabulary + draw_below(&own, phrases->pairs));
    }
    count = set_take(&phrases->set, phrases->row);
    append(out, score > 0 ? "+1" : "-1", 2);
    for (uint32_t k = 0; k < count; k++) {
        append_index(out, phrases->row[k] + 1);
        append(out, "1", 1);
    }
    append(out, "\n", 1);
    if (end - first < 2)
        return;
    middle = first + 1 + draw_below(&phrases->random, end - first - 1);
    write_phrase(phrases, out, first, middle);
    write_phrase(phrases, out, middle, end);
}

/* ---- The command line ---- */

static const struct {
    const char *name;
    int numbers;          /* most numbers on the command line */
    uint64_t features[2]; /* default and largest number */
    uint64_t third;       /* default number of non-zeros or classes */
} kinds[KINDS] = {[RCV1] = {"rcv1", 3, {47236, MOST_FEATURES}, 74},
                  [COVTYPE] = {"covtype", 1, {54, 54}, 0},
                  [DENSE] = {"dense", 3, {100, MOST_DENSE}, 2},
                  [COUNTS] = {"counts", 3, {40000, MOST_FEATURES}, 100},
                  [RAW] = {"raw", 2, {751, MOST_DENSE}, 0},
                  [BLOCKS] = {"blocks", 2, {1845, MOST_DENSE}, 0},
                  [PHRASES] = {"phrases", 2, {80000, MOST_FEATURES}, 0}};

static int usage(const char *problem)
{
    fprintf(stderr, "synth: %s\n", problem);
    fputs("usage: synth rcv1 ROWS [FEATURES [NONZEROS_PER_ROW]] [--ones] [options]\n"
          "       synth covtype ROWS [options]\n"
          "       synth dense ROWS [FEATURES [CLASSES]] [options]\n"
          "       synth counts ROWS [FEATURES [NONZEROS_PER_ROW]] [options]\n"
          "       synth raw|blocks|phrases ROWS [FEATURES] [options]\n"
          "options: --seed N, --output FILE\n",
          stderr);
    return USAGE;
}

/* Reads a number of digits alone. Returns 0 for other text and for an overflow. */
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

/* Returns a message about wrong arguments, or NULL. */
static const char *read_arguments(int argc, char **argv, struct arguments *arguments)
{
    int numbers = 0, kind = 0;

    while (kind < KINDS && (argc < 2 || strcmp(argv[1], kinds[kind].name) != 0))
        kind++;
    if (kind == KINDS)
        return "no such kind";
    arguments->kind = (enum kind)kind;
    arguments->number[1] = kinds[kind].features[0];
    arguments->number[2] = kinds[kind].third;
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], "--ones") == 0 && kind == RCV1)
            arguments->ones = 1;
        else if (strcmp(argv[i], "--output") == 0 && i + 1 < argc)
            arguments->path = argv[++i];
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
            if (!read_number(argv[++i], &arguments->seed))
                return "the seed is not a number";
        } else if (numbers >= kinds[kind].numbers ||
                   !read_number(argv[i], &arguments->number[numbers++]))
            return "an argument that is no option and no number, or one too many";
    }
    if (numbers == 0)
        return "no number of rows";
    if (kind == DENSE && (arguments->number[2] < 2 || arguments->number[2] > 100))
        return "classes: 2 .. 100";
    if (arguments->number[1] < (kind == PHRASES ? 2 : 1) ||
        arguments->number[1] > kinds[kind].features[1])
        return "features: 1 .. 50000000, of dense, raw and blocks 1 .. 20000, of phrases 2 ..";
    if ((kind == RCV1 || kind == COUNTS) &&
        (arguments->number[2] < 1 || arguments->number[2] > arguments->number[1]))
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
    text.counts = arguments->kind == COUNTS;
    text.flat = text.counts ? 1 : FLAT;
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

static int write_table(const struct arguments *arguments, struct output *out)
{
    struct random random = {arguments->seed};

    for (uint64_t i = 0; i < arguments->number[0] && !out->failed; i++)
        if (arguments->kind == RAW)
            write_raw_row(arguments, &random, out);
        else
            write_blocks_row(arguments, &random, out);
    return DONE;
}

static int write_phrases(const struct arguments *arguments, struct output *out)
{
    const uint32_t features = (uint32_t)arguments->number[1];
    struct phrases phrases = {
        .vocabulary = features / 6 + 1, .rows = arguments->number[0], .random = {arguments->seed}};
    int status = NO_MEMORY;

    phrases.pairs = features - phrases.vocabulary;
    if (set_create(&phrases.set, features)) {
        while (phrases.rows > 0 && !out->failed) {
            const uint32_t words = 8 + draw_below(&phrases.random, MOST_WORDS - 7);

            for (uint32_t i = 0; i < words; i++)
                phrases.word[i] = draw_rank(&phrases.random, phrases.vocabulary);
            write_phrase(&phrases, out, 0, words);
        }
        status = DONE;
    }
    set_free(&phrases.set);
    return status;
}

static int write_all(const struct arguments *arguments, struct output *out)
{
    static int (*const write[KINDS])(const struct arguments *, struct output *) = {
        write_text,  write_covtype, write_dense,  write_text,
        write_table, write_table,   write_phrases};
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
    struct arguments arguments = {.seed = 1};
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
