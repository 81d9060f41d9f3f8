#!/bin/sh
# Copies the data of a Postgres that runs, as Postgres's user: a folder of FOLDER/base, named by its
# time (UTC). archive-wal.sh writes FOLDER/wal. Copies older than KEEP_DAYS (14) are deleted, with
# the log that only they need. Runs exclude each other; each deletes what an interrupted one left.
#   base-backup.sh FOLDER
set -eu
folder=$1
exec 9<"$PGDATA/PG_VERSION"
flock --nonblock 9 || { echo 'another copy is being made' >&2; exit 1; }
name=$(date -u +%Y%m%dT%H%M%SZ)
export COPY="$folder/base/.$name"
rm -rf "$folder"/base/.2*
mkdir "$COPY"
touch "$COPY/started"

# The session that starts the backup has to end it. Files that change or vanish during it (tar's 1)
# are no loss: the WAL has the changes. pg_backup_stop waits until the log of this time is archived.
psql --no-psqlrc --no-align --tuples-only --set=ON_ERROR_STOP=1 --dbname=postgres >"$COPY/backup_label" <<'END'
SELECT pg_backup_start('base-backup.sh', fast => true) \g /dev/null
\! tar --create --gzip --file="$COPY/base.tar.gz" --directory="$PGDATA" --warning=no-file-changed --exclude='./pg_wal/*' --exclude='./pg_replslot/*' --exclude='./postmaster.*' --exclude='pgsql_tmp*' . || [ $? -eq 1 ] && touch "$COPY/whole"
SELECT labelfile FROM pg_backup_stop();
END
rm "$COPY/whole"
sync
mv "$COPY" "$folder/base/$name"

find "$folder/base" -mindepth 2 -name started -mtime "+${KEEP_DAYS:-14}" | while read -r old; do rm -r "${old%/*}"; done
oldest=$(ls "$folder/base" | head -n 1)
find "$folder/wal" -type f ! -name '*.history' ! -newer "$folder/base/$oldest/started" -delete
