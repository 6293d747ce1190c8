#!/usr/bin/env bash
# The version in meson.build is the newest of CHANGELOG.md and of debian/changelog, and the one that
# drew the picture of the README.
#
#     tests/docs/versions.sh ROOT
set -u
cd "${1:?usage: versions.sh ROOT}" || exit 2
failed=0

version=$(sed -n "s/^ *version: '\([0-9.]*\)',$/\1/p" meson.build)
if [ -z "$version" ]; then
    echo 'versions.sh: meson.build: no version of the project' >&2
    exit 2
fi

# expect FILE FOUND
expect()
{
    [ "$2" = "$version" ] && return
    echo "versions.sh: $1: version '$2': expected $version, as in meson.build" >&2
    failed=1
}

expect CHANGELOG.md "$(sed -n 's/^## \([^ ]*\).*/\1/p' CHANGELOG.md | head -n 1)"
expect debian/changelog "$(sed -n '1s/^heddle (\([^)]*\)).*/\1/p' debian/changelog)"
expect docs/images/comparison.svg \
    "$(sed -n 's/^<desc>Drawn by heddle \([^:]*\):.*/\1/p' docs/images/comparison.svg)"
exit $failed
