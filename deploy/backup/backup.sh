#!/bin/bash
# Backups of the stack's database with pgBackRest.
#   backup serve                receives WAL, takes the scheduled backups, serves metrics (the service `backup`)
#   backup now [full|diff]      takes a backup
#   backup trial                restores the newest backup into a scratch folder and compares tables and numbers of rows
#   backup restore [--to TIME]  replaces the data folder with a backup (the service `restore`, while postgres is stopped)
#   backup info, verify, …      pgBackRest's own commands; backup help lists them
set -euo pipefail
umask 077
place=/var/lib/pgbackrest
received=$place/received # WAL that waits for the repository
status=$place/status     # survives a restart; files in /tmp are about this run only
day=86400
: "${PGBACKREST_REPO1_CIPHER_PASS:=$(cat "$BACKUP_PASSPHRASE_FILE")}"
export PGBACKREST_REPO1_CIPHER_PASS
if [ -e /run/secrets/pgbackrest.conf ]; then export PGBACKREST_CONFIG=/run/secrets/pgbackrest.conf; fi

log() { echo "$(date -u +%FT%TZ) $*" >&2; }
fail() { log "$@"; exit 1; }
sql() { psql --no-psqlrc --quiet --no-align --tuples-only --set=ON_ERROR_STOP=1 "$@"; }

serve() {
  date -d "today $BACKUP_TIME" > /dev/null 2>&1 || fail "BACKUP_TIME: must be a time such as 03:00, not $BACKUP_TIME"
  { exec 9> "$place/lock" && flock --nonblock 9; } || fail 'Another backup or restore works in this repository folder.'
  trap 'kill $(jobs -p); wait; exit 0' TERM INT
  busybox httpd -f -p 9187 -h /tmp/metrics & receive & archive & schedule &
  wait -n || fail 'A part of this service ended.'
}

# All day: receives WAL as the server writes it. The slot retains what was not received, up to max_slot_wal_keep_size.
receive() {
  while sleep 1; do
    slots=$(sql -c "SELECT count(restart_lsn) FROM pg_replication_slots WHERE slot_name = 'backup'" 2> /dev/null) || continue
    if [ "$slots" = 0 ]; then
      push || continue
      log 'There is no replication slot with all WAL since the last backup. Making one, and a new backup.'
      rm -f "$received"/*
      # Before the slot: with a full disk, a slot would hide that a backup is missing.
      touch "$status/due" || continue
      sql -c "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = 'backup';
        SELECT pg_create_physical_replication_slot('backup', true)" > /dev/null || continue
    fi
    PGAPPNAME=backup pg_receivewal --directory="$received" --slot=backup --synchronous --no-loop || true
  done
}

# All day: sends received WAL to the repository.
archive() {
  while true; do
    write_metrics || true
    if open_repository && push && [ -e /tmp/readable ] &&
      [ "$(sql -c "SELECT active FROM pg_replication_slots WHERE slot_name = 'backup'" 2> /dev/null)" = t ]; then
      date +%s | tee /tmp/archived > "$status/wal_archived_timestamp_seconds" || true
      # Until the next segment is whole: a backup waits for it.
      for _ in {1..10}; do sleep 1; ! compgen -G "$received/*[0-9A-F]" > /dev/null || break; done
    else
      # A segment a minute, 16 MB of mostly zeros each, would fill a disk within a day while they wait.
      find "$received" -type f ! -name '*.partial' -mmin -60 -exec fallocate --dig-holes {} \; || true
      sleep 2
    fi
  done
}

# Creates the stanza in an empty repository, or verifies that passphrase and database are those of the repository.
open_repository() {
  [ ! -e /tmp/stanza ] || return 0
  pg_isready --quiet || return 1
  if pgbackrest stanza-create > /tmp/error 2>&1; then rm -f /tmp/unusable; touch /tmp/stanza; return 0; fi
  # pgBackRest's message quotes what the wrong passphrase decrypts.
  ! grep --text --quiet -E 'FormatError|CryptoError' /tmp/error || echo > /tmp/error \
    'backup-passphrase is not the one that the repository was made with: docs/operations.md#a-lost-backup-passphrase'
  mv /tmp/error /tmp/unusable
  log "No backups: $(cat /tmp/unusable)"
  return 1
}

# Discards WAL of a database that stanza-upgrade has replaced (044).
push() {
  find "$received" -type f ! -name '*.partial' | sort | while read -r segment; do
    pgbackrest archive-push "$segment" || [ $? -eq 44 ] || exit 1
    rm -f "$segment"
  done
}

# Prints the times of the newest backup, the newest full one, and the oldest; 0 without one. Fails if the repository can't be
# read. Codes: 0 fine, 2 no backup yet, 4 repositories differ.
list_times() {
  pgbackrest info --output=json | jq --raw-output 'if all(.[].status.code; IN(0, 2, 4)) then . else error("repository: " + .[0].status.message) end |
    [.[].backup[]? | select(.error | not)] | [map(.timestamp.stop), map(select(.type == "full").timestamp.stop)] |
    "\(.[0] | max // 0) \(.[1] | max // 0) \(.[0] | min // 0)"'
}

# Daily at BACKUP_TIME (UTC) a backup, weekly a full one and a trial restore, and whatever was missed while this was stopped.
schedule() {
  while sleep 2; do
    [ -e /tmp/stanza ] || continue
    # Without changes nothing is pushed, and only reading shows that the repository is gone.
    read -r newest full _ < <(list_times) || { rm -f /tmp/readable; continue; }
    touch /tmp/readable
    echo "$newest" > "$status/last_success_timestamp_seconds" || true
    due=$(date -d "today $BACKUP_TIME" +%s)
    [ "$due" -le "$(date +%s)" ] || due=$((due - day))
    pause=$(($(read_status trial_restore_success) ? 7 * day : day))
    if [ "$newest" -lt "$due" ] || [ -e "$status/due" ]; then
      type=$([ $((due - full)) -lt $((6 * day)) ] && echo diff || echo full)
      # A restart of the database ends a backup, so only a second failure counts.
      "$0" now "$type" || { until pg_isready --quiet; do sleep 1; done; "$0" now "$type"; } ||
        { touch /tmp/failed; sleep 600; }
    elif [ $(($(date +%s) - $(read_status trial_restore_timestamp_seconds))) -ge $pause ]; then
      "$0" trial || true
    fi
    sleep 60
  done
}

now() {
  exec 8> /tmp/lock && flock 8
  log "Taking a ${1:-diff} backup …"
  pgbackrest backup --type="${1:-diff}"
  rm -f "$status/due" /tmp/failed
  list_times | cut -d ' ' -f 1 > "$status/last_success_timestamp_seconds"
  log 'The backup is complete.'
}

# Restores the newest backup up to a mark in the WAL, and compares numbers of rows with those right before and after the mark.
trial() {
  # After a restore, the newest backup may be of a state that the present one did not come from.
  [ ! -e "$status/due" ] || "$0" now
  # A backup that ends after the mark could not be replayed to it.
  exec 8> /tmp/lock && flock 8
  log 'Trial restore …'
  trap 'end_trial $?' EXIT
  before=$(count_rows)
  mark=trial-$(date +%s)
  sql -c "SELECT pg_create_restore_point('$mark')" > /dev/null
  after=$(count_rows)
  # Switches to a new segment, and waits until the former one is in the repository.
  pgbackrest check --archive-timeout=120
  rm -rf $place/trial
  pgbackrest restore --pg1-path=$place/trial --type=name --target="$mark" --target-action=promote
  start $place/trial
  restored=$(count_rows --host=/tmp)
  wrong=$(paste -d '|' <(echo "$before") <(echo "$restored") <(echo "$after") |
    awk -F '|' '$1 != $3 || $4 < ($2 < $6 ? $2 : $6) || $4 > ($2 > $6 ? $2 : $6)')
  [ -z "$wrong" ] || fail "Wrong numbers of rows (table|before|table|restored|table|after): $wrong"
  # Only a migration may remove a table.
  recorded=$status/tables-$(sql --host=/tmp --dbname=daybook -c "SELECT md5(string_agg(name, ' ' ORDER BY name)) FROM migrations")
  if missing=$(grep -vxFf <(cut -d '|' -f 1 <<< "$restored") "$recorded" 2> /dev/null); then
    fail "The database lacks tables that it had: ${missing//$'\n'/ }"
  fi
  rm -f "$status"/tables-*
  cut -d '|' -f 1 <<< "$restored" > "$recorded"
  log "The trial restore has all rows: ${restored//$'\n'/, }"
}

end_trial() {
  stop $place/trial 2> /dev/null || true
  rm -rf $place/trial
  echo $(($1 == 0)) > "$status/trial_restore_success"
  date +%s > "$status/trial_restore_timestamp_seconds"
  [ "$1" = 0 ] || log 'The trial restore failed: see above. To restore an earlier state: docs/operations.md#restore'
}

# Prints the number of rows of each table, as name|number.
count_rows() {
  sql --dbname=daybook "$@" <<< "SELECT format('SELECT %L, count(*) FROM %s', oid::regclass, oid::regclass) FROM pg_class
    WHERE relkind = 'r' AND relpersistence = 'p' AND relnamespace::regnamespace::text IN ('public', 'releases')
    ORDER BY relnamespace, relname \gexec"
}

# After a loss. Restores into a folder beside the data folder, and replaces the latter only once the restored database has started.
restore() {
  to='' moment=${2:-now} target=(--type=default) next=$PGDATA.restored
  if [ $# -gt 0 ]; then
    if [ $# -ne 2 ] || [ "$1" != --to ]; then fail 'Usage: docker compose run --rm restore [--to "2026-11-22 14:00"] (UTC)'; fi
    to=$(date -d "$2" +%s) || fail "--to: $2 is not a time like 2026-11-22 14:00 (UTC)."
    [ "$to" -lt "$(date +%s)" ] || fail "--to: $2 is in the future."
    target=(--type=time --target="$(date -d "@$to" '+%F %T+00')" --target-action=promote)
  fi
  if pg_isready --quiet || [ $? -ne 2 ]; then fail 'postgres is running. Stop it first: docker compose stop postgres backup'; fi
  { exec 9> "$place/lock" && flock --nonblock 9; } || fail 'backup is running. Stop it first: docker compose stop backup'
  oldest=$(list_times | cut -d ' ' -f 3) ||
    fail 'The repository cannot be read. Usual reasons: another backup-passphrase, or pgbackrest.conf is wrong.'
  [ "${to:-$oldest}" -ge "$oldest" ] || fail "--to: the oldest backup is of $(date -d "@$oldest" '+%F %T') UTC."
  push || log 'Received WAL could not be sent to the repository; using it from here.'
  log "Restoring the state of $moment …"
  trap 'rm -rf "$next"' EXIT
  # A moment is on the timeline of the backup before it. The latest one is that of the last restore, which may have left it
  # before that moment; only a moment between that restore and its first backup is on the latest alone.
  for timeline in ${to:+current} latest; do
    rm -rf "$next"
    pgbackrest restore --pg1-path="$next" "${target[@]}" ${to:+"--target-timeline=$timeline"} ||
      fail 'Nothing was changed: the backup could not be restored.'
    # Received, but not in the repository yet. The server reads it after the WAL of the repository.
    for segment in "$received"/*; do [ ! -e "$segment" ] || cp "$segment" "$next/pg_wal/$(basename "$segment" .partial)"; done
    if start "$next"; then break; fi
    [ "$timeline" = current ] || fail "Nothing was changed: the restored database does not reach the state of $moment." \
      'If nothing changed after that time, restore without --to.'
  done
  log "Restored rows: $(count_rows --host=/tmp | paste -s -d ' ')"
  sql --host=/tmp -c "SELECT pg_create_physical_replication_slot('backup', true)" > /dev/null
  stop "$next"
  replaced=$PGDATA.replaced-$(date -u +%Y%m%dT%H%M%SZ)
  [ ! -e "$PGDATA" ] || { mv "$PGDATA" "$replaced"; log "The former data is in the volume until you delete it: $replaced"; }
  mv "$next" "$PGDATA"
  # The tail of the replaced data, so that it can still be restored.
  for segment in "$received"/*.partial; do [ ! -e "$segment" ] || mv "$segment" "${segment%.partial}"; done
  push || true
  rm -f "$received"/*
  touch "$status/due"
  log 'Restored. Now: docker compose up --detach --wait'
}

# start FOLDER: recovers a restored folder up to its target, and leaves the server running on a socket in /tmp.
start() {
  rm -f /tmp/recovery.log
  if pg_ctl start --pgdata="$1" --silent --timeout=86400 --log=/tmp/recovery.log --options="-c listen_addresses='' \
    -c unix_socket_directories=/tmp -c synchronous_standby_names='' -c archive_mode=off -c shared_buffers=32MB" > /dev/null; then
    while pg_ctl status --pgdata="$1" > /dev/null; do
      [ "$(sql --host=/tmp -c 'SELECT pg_is_in_recovery()' 2> /dev/null)" != f ] || return 0
      sleep 1
    done
  fi
  grep -E 'FATAL|PANIC|terminated' /tmp/recovery.log >&2
  return 1
}
stop() { pg_ctl stop --pgdata="$1" --silent --mode=fast > /dev/null; }
read_status() { cat "$status/$1" 2> /dev/null || echo 0; }

write_metrics() {
  for name in {last_success,wal_archived,trial_restore}_timestamp_seconds trial_restore_success; do
    echo "daybook_backup_$name $(read_status "$name")"
  done > /tmp/metrics/new && mv /tmp/metrics/new /tmp/metrics/metrics.txt
}

# Waits for the first result of this run. Afterwards, WAL may wait: a repository elsewhere is at times out of reach.
check-health() {
  for _ in {1..50}; do [ -e /tmp/unusable ] || [ -e /tmp/archived ] || sleep 1; done
  [ ! -e /tmp/unusable ] || fail "$(cat /tmp/unusable)"
  [ -n "$(find /tmp/archived -mmin -5)" ] || fail 'No WAL was received and stored for five minutes: see the log.'
  [ ! -e /tmp/failed ] || fail 'The last scheduled backup failed: see the log.'
}

[ -w "$place" ] ||
  fail "BACKUP_FOLDER: the user postgres cannot write it. Run: sudo install -d -m 700 -o $(id -u) -g $(id -g) <folder>"
mkdir -p "$received" "$status" /tmp/metrics
case ${1:-} in
  serve | now | trial | restore | check-health) "$@" ;;
  -h | --help) sed -n 's/^#   //p' "$0" ;;
  *) exec pgbackrest "$@" ;;
esac
