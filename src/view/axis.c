// Chooses limits and tics that are round numbers.
#include "view/axis.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Relative: a limit that is a tic but for rounding is that tic.
static const double nearly = 1e-9;

static double power_of_ten(int exponent)
{
    char text[16];
    snprintf(text, sizeof text, "1e%d", exponent);
    return number_read(text, NULL); // exact, unlike pow
}

static int floor_log(double value) { return (int)floor(log10(value) + nearly); }
static int ceil_log(double value) { return (int)ceil(log10(value) - nearly); }

static void add(Axis *axis, double tic, const char *text)
{
    if (axis->count == AXIS_TICS) return;
    axis->tics[axis->count] = tic;
    snprintf(axis->texts[axis->count], AXIS_TEXT, "%s", text);
    axis->count++;
}

// ---- linear ----

// 1, 2, 2.5 or 5 times a power of ten, at least `least`, but not 2.5 itself, because many values
// are whole numbers. *decimals: that the multiples need.
static double round_step(double least, int *decimals)
{
    static const double factors[] = {1, 2, 2.5, 5};
    int exponent = floor_log(least);
    double unit = power_of_ten(exponent);
    for (unsigned i = 0; i < sizeof factors / sizeof *factors; i++)
        if (factors[i] * unit >= least * (1 - nearly) && factors[i] * unit != 2.5) {
            *decimals = (factors[i] == 2.5) - exponent;
            return factors[i] * unit;
        }
    *decimals = -exponent - 1;
    return power_of_ten(exponent + 1);
}

// The text of a tic: "0.25", "1500", "20 k", "1.5 M"; beyond 1e15 "2e+20".
static void linear_text(double tic, double most, int decimals, char text[AXIS_TEXT])
{
    static const char *const prefixes[] = {"", " k", " M", " G", " T"};
    int thousands = most >= 1e4 ? floor_log(most) / 3 : 0;
    if (tic == 0) thousands = decimals = 0;
    decimals += 3 * thousands;
    if (thousands > 4 || (most < 1e-3 && decimals > 4)) number_format(text, AXIS_TEXT, "%.4g", tic);
    else number_format(text, AXIS_TEXT, "%.*f%s", decimals > 0 ? decimals : 0,
                       tic / power_of_ten(3 * thousands), prefixes[thousands]);
}

static void set_linear(Axis *axis, unsigned tics, bool round_low, bool round_high)
{
    int decimals;
    double step = round_step((axis->high - axis->low) / tics, &decimals);
    double first = round_low ? floor(axis->low / step + nearly) : ceil(axis->low / step - nearly);
    double last = round_high ? ceil(axis->high / step - nearly) : floor(axis->high / step + nearly);
    if (round_low) axis->low = first * step;
    if (round_high) axis->high = last * step;
    double most = fmax(fabs(first * step), fabs(last * step));
    for (double i = first; i <= last; i++) {
        char text[AXIS_TEXT];
        double tic = i == 0 ? 0 : i * step;
        linear_text(tic, most, decimals, text);
        add(axis, tic, text);
    }
}

// ---- logarithmic ----

// "0.01" to "1000", else "2·10⁴" in the same way.
static void log_text(unsigned factor, int exponent, char text[AXIS_TEXT])
{
    static const char *const digits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                         "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    if (exponent >= -2 && exponent <= 3) {
        number_format(text, AXIS_TEXT, "%.*f", exponent < 0 ? -exponent : 0,
                      factor * power_of_ten(exponent));
        return;
    }
    char number[16];
    size_t used = 0;
    if (factor > 1) used = (size_t)snprintf(text, AXIS_TEXT, "%u\u00b7", factor);
    used += (size_t)snprintf(text + used, AXIS_TEXT - used, "10%s", exponent < 0 ? "\u207b" : "");
    snprintf(number, sizeof number, "%d", exponent < 0 ? -exponent : exponent);
    for (const char *c = number; *c && used < AXIS_TEXT; c++)
        used += (size_t)snprintf(text + used, AXIS_TEXT - used, "%s", digits[*c - '0']);
}

static void set_log(Axis *axis, unsigned tics, bool round_low, bool round_high)
{
    static const unsigned factors[] = {1, 2, 5};
    int first = floor_log(axis->low), last = ceil_log(axis->high);
    if (round_low) axis->low = power_of_ten(first);
    if (round_high) axis->high = power_of_ten(last);
    // Few decades have tics between their powers of ten, many have not all of these.
    unsigned decades = (unsigned)(last - first), kinds = decades * 3 <= tics ? 3 : 1;
    int step = kinds == 1 ? 1 + (int)(decades / (tics + 1)) : 1;
    for (int exponent = first; exponent <= last; exponent++) {
        if (exponent % step) continue;
        for (unsigned i = 0; i < kinds; i++) {
            char text[AXIS_TEXT];
            double tic = factors[i] * power_of_ten(exponent);
            if (tic < axis->low * (1 - nearly) || tic > axis->high * (1 + nearly)) continue;
            log_text(factors[i], exponent, text);
            add(axis, tic, text);
        }
    }
}

void axis_set(Axis *axis, bool log, double low, double high, unsigned tics, bool round_low,
              bool round_high)
{
    *axis = (Axis){.log = log, .low = low, .high = high};
    if (tics < 1) tics = 1;
    if (tics > AXIS_TICS / 2) tics = AXIS_TICS / 2;
    if (log) {
        if (low >= high * (1 - nearly)) {
            axis->low = low / 2;
            axis->high = high * 2;
        }
        set_log(axis, tics, round_low, round_high);
        return;
    }
    // Values that are all the same, or differ by less than a double can divide, are in the middle.
    double span = fmax(fabs(low), fabs(high));
    if (high - low <= span * nearly || high - low < 1e-100) {
        double room = span > 1e-99 ? span / 2 : 0.5;
        axis->low = low - room;
        axis->high = high + room;
    }
    set_linear(axis, tics, round_low, round_high);
}

double axis_place(const Axis *axis, double value)
{
    if (axis->log) return log(value / axis->low) / log(axis->high / axis->low);
    return (value - axis->low) / (axis->high - axis->low);
}
