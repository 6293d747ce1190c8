// The tables of a store, as SQL. A change of them is a new STORE_VERSION.
#ifndef HEDDLE_STORE_STORE_SCHEMA_H
#define HEDDLE_STORE_STORE_SCHEMA_H

enum { STORE_APPLICATION = 0x48444C45, STORE_VERSION = 1 }; // application_id "HDLE"; user_version

// identity: the hash of all that decides the result. inputs: what it is computed from, as JSON.
// counters: the result's counters, as JSON, with the names that `heddle run --out` gives them;
// without those of single launches and of single instructions. result: the text of the whole result
// file, compressed by zstd. cut: --max-thread-instructions, if it has ended the timing.
#define STORE_RUNS                                                                                 \
    "CREATE TABLE runs ("                                                                          \
    " run INTEGER PRIMARY KEY,"                                                                    \
    " identity TEXT NOT NULL UNIQUE,"                                                              \
    " hash TEXT NOT NULL,"                                                                         \
    " sources TEXT NOT NULL,"                                                                      \
    " version TEXT NOT NULL,"                                                                      \
    " date TEXT NOT NULL,"                                                                         \
    " seconds REAL NOT NULL,"                                                                      \
    " program TEXT NOT NULL,"                                                                      \
    " implementation TEXT,"                                                                        \
    " graph TEXT,"                                                                                 \
    " machine TEXT NOT NULL,"                                                                      \
    " mechanisms TEXT NOT NULL,"                                                                   \
    " verified INTEGER,"                                                                           \
    " cut INTEGER,"                                                                                \
    " cycles INTEGER NOT NULL,"                                                                    \
    " warp_instructions INTEGER NOT NULL,"                                                         \
    " thread_instructions INTEGER NOT NULL,"                                                       \
    " inputs TEXT NOT NULL,"                                                                       \
    " counters TEXT NOT NULL,"                                                                     \
    " result BLOB NOT NULL"                                                                        \
    ") STRICT"
// The timed launches. launch: its number among all launches, from 1.
#define STORE_LAUNCHES                                                                             \
    "CREATE TABLE launches ("                                                                      \
    " run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,"                               \
    " launch INTEGER NOT NULL,"                                                                    \
    " kernel TEXT NOT NULL,"                                                                       \
    " cycles INTEGER NOT NULL,"                                                                    \
    " warp_instructions INTEGER NOT NULL,"                                                         \
    " counters TEXT NOT NULL,"                                                                     \
    " PRIMARY KEY (run, launch)"                                                                   \
    ") STRICT, WITHOUT ROWID"
// What users asked for (a command line of `heddle run`), and what it was computed from.
#define STORE_REQUESTS                                                                             \
    "CREATE TABLE requests ("                                                                      \
    " request INTEGER PRIMARY KEY,"                                                                \
    " words TEXT NOT NULL,"                                                                        \
    " computed_from TEXT NOT NULL,"                                                                \
    " run INTEGER NOT NULL REFERENCES runs (run) ON DELETE CASCADE,"                               \
    " UNIQUE (words, computed_from)"                                                               \
    ") STRICT"

#endif
