#!/bin/sh
# Makes the data of a stopped Postgres from a copy of base-backup.sh, as Postgres's user. The next
# start replays the log up to TIME, or without TIME to the log's end. The data from before is kept
# beside it.
#   restore-backup.sh FOLDER COPY [TIME]      such as /backup 20260301T034700Z '2026-03-01 09:41:00+00'
set -eu
folder=$1 copy=$1/base/$2 time=${3:-}
# Up to TIME, replay no log of a later restore, which left this timeline.
timeline=${3:+current}
[ -s "$copy/base.tar.gz" ]
[ ! -e "$PGDATA" ] || mv "$PGDATA" "$PGDATA.before-$(date -u +%Y%m%dT%H%M%SZ)"
mkdir -p -m 700 "$PGDATA"
tar --extract --gzip --file="$copy/base.tar.gz" --directory="$PGDATA"
cp "$copy/backup_label" "$PGDATA/backup_label"
# Without a file Postgres ends the recovery (1), but not if one can't be read (255).
cat >>"$PGDATA/postgresql.auto.conf" <<END
restore_command = '[ -e $folder/wal/%f ] || exit 1; gzip -d <$folder/wal/%f >%p || exit 255'
recovery_target_action = 'promote'
recovery_target_time = '$time'
recovery_target_timeline = '${timeline:-latest}'
END
touch "$PGDATA/recovery.signal"
