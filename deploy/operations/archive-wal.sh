#!/bin/sh
# An archive_command for Postgres: compresses one file of its log (WAL) into a folder on another disk.
#
#   archive_mode = on
#   archive_command = '/usr/local/bin/archive-wal.sh %p %f /archive'
#
# Postgres removes a file once this script exits with 0. So it exits with 0 only when the whole copy
# is on disk, and never replaces a file by another one (postgres.md, 'Backup').
set -eu
source=$1 name=$2 archive=$3
target=$archive/$name

if [ -e "$target" ]; then
  # An earlier run archived the file, but Postgres stopped before it knew.
  gzip -dc "$target" | cmp - "$source"
  exit
fi
partial=$archive/.$name.$$
trap 'rm -f "$partial"' EXIT
gzip -1c "$source" >"$partial"
sync "$partial"
mv "$partial" "$target"
sync "$archive"
