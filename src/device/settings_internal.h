// One setting at a time: what settings.c and settings_file.c share.
#ifndef HEDDLE_DEVICE_SETTINGS_INTERNAL_H
#define HEDDLE_DEVICE_SETTINGS_INTERNAL_H

#include "device/settings.h"

typedef enum SettingKind {
    SETTING_TEXT, SETTING_NUMBER, SETTING_SWITCH, SETTING_DETAIL, SETTING_SET
} SettingKind;

typedef struct Setting {
    const char *key, *variable; // in heddle.yaml; of the environment
    SettingKind kind;
    size_t offset; // in Settings; unused by SETTING_SET
} Setting;

extern const Setting settings_known[]; // ends with a NULL key

// Gives a setting (not SETTING_SET) its value. false: *why says what would be right.
bool setting_assign(Settings *settings, const Setting *setting, const char *text, HdError *why);
// Adds "section.key=value", `length` characters long.
bool settings_add(Settings *settings, const char *assignment, size_t length, HdError *err);

// Reads heddle.yaml where there is one.
bool settings_read_file(Settings *settings, HdError *err);

#endif
