#!/usr/bin/env bash
# What heddle-setup says to options that it does not know: setup_test.sh PATH-OF-HEDDLE-SETUP.
set -u
setup=$(realpath "${1:?usage: setup_test.sh HEDDLE-SETUP}")
failures=0

# refuse MESSAGE ARGUMENT...: ends with status 2 and this message, before it builds anything.
refuse()
{
    local said status message="heddle-setup: $1"
    shift
    said=$(NO_COLOR=1 "$setup" "$@" 2>&1)
    status=$?
    [ $status -eq 2 ] && [ "$said" = "$message" ] && return
    printf 'FAILED: heddle-setup %s: status %d: %s\nexpected: %s\n' "$*" $status "$said" "$message"
    failures=$((failures + 1))
}

options='--sanitize[=thread] or --clang, --werror'
refuse "build: '--clan' is unknown: expected $options" build --clan
refuse "build: 'run' is unknown: expected $options" build --werror run
refuse "test: '-v' is unknown: expected $options, or the names of tests" test --clang -v
one="beside another folder's option: expected one of them"
refuse "build: '--clang' $one" build --sanitize --clang
refuse "test: '--sanitize' $one" test --sanitize=thread --sanitize
refuse "fuzz: '--clang': expected the names of targets, or none, and --seconds N" fuzz --clang
refuse "unknown command 'tset': expected build, test, fuzz, demo or help" tset
[ $failures -eq 0 ] || exit 1
echo 'all refusals are right'
