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
received=$place/received
status=$place/status
trial=$place/trial
day=86400

: "${PGBACKREST_REPO1_CIPHER_PASS:=$(cat "$BACKUP_PASSPHRASE_FILE")}"
export PGBACKREST_REPO1_CIPHER_PASS
if [ -e /run/secrets/pgbackrest.conf ]; then export PGBACKREST_CONFIG=/run/secrets/pgbackrest.conf; fi

log() { echo "$(date -u +%FT%TZ) $*" >&2; }
fail() { log "$@"; exit 1; }
sql() { psql --no-psqlrc --quiet --no-align --tuples-only --set=ON_ERROR_STOP=1 "$@"; }

# Receives WAL as the server writes it. The slot has the server retain WAL that this service has not received, up to
# max_slot_wal_keep_size; beyond that, only a new backup closes the gap.
receive() {
  while sleep 1; do
    state=$(sql -c "SELECT coalesce(max(wal_status), 'missing') FROM pg_replication_slots
      WHERE slot_name = 'backup' AND restart_lsn IS NOT NULL" 2> /dev/null) || continue
    if [ "$state" = missing ]; then
      push || continue
      log 'There is no replication slot with all WAL since the last backup. Making one, and a new backup.'
      sql -c "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = 'backup'" || continue
      rm -f "$received"/*
      # First: with a full disk, a slot would hide that a backup is missing.
      touch "$status/due" || continue
      sql -c "SELECT pg_create_physical_replication_slot('backup', true)" > /dev/null || continue
    fi
    PGAPPNAME=backup pg_receivewal --directory="$received" --slot=backup --synchronous --no-loop || true
  done
}

# Sends each received segment to the repository. Discards what is left of a database that stanza-upgrade replaced (044).
push() {
  local segment code
  for segment in "$received"/*; do
    case $segment in *.partial | *'*') continue ;; esac
    code=0
    pgbackrest archive-push "$segment" || code=$?
    case $code in
      0) ;;
      44) log "Discarding $segment, which is of another database." ;;
      *) return 1 ;;
    esac
    rm -f "$segment"
  done
}

# Removes the zeros that fill segments: those of a minute have 16 MB, and would fill a disk within a day while they wait.
shrink_waiting() {
  find "$received" -type f ! -name '*.partial' -cnewer /tmp/shrunk -exec fallocate --dig-holes {} \;
  touch /tmp/shrunk
}

# Files in /tmp describe this run of the service: what an earlier one stored says nothing about the repository of now.
archive() {
  while true; do
    write_metrics || true
    if open_repository && push && can_read; then
      if is_receiving; then date +%s | tee /tmp/archived > "$status/archived" || true; fi
      sleep 2
    else
      shrink_waiting || true
      sleep 10
    fi
  done
}

# Creates the stanza in an empty repository, or verifies that passphrase and database are those of the repository.
open_repository() {
  local reason
  [ ! -e /tmp/stanza ] || return 0
  pg_isready --quiet || { rm -f /tmp/unusable; return 1; }
  if pgbackrest stanza-create > /tmp/error 2>&1; then
    rm -f /tmp/unusable
    touch /tmp/stanza
    return 0
  fi
  if grep --text --quiet -E 'FormatError|CryptoError' /tmp/error; then
    # Its own message quotes what the wrong passphrase decrypts.
    reason='backup-passphrase is not the one that the repository was made with: docs/operations.md#a-lost-backup-passphrase'
  else
    reason=$(grep --max-count=1 --only-matching 'ERROR: .*' /tmp/error)
    cat /tmp/error >&2
  fi
  [ "$reason" = "$(cat /tmp/unusable 2> /dev/null)" ] || log "No backups: ${reason:=pgbackrest stanza-create failed}"
  echo "$reason" > /tmp/unusable
  return 1
}

# Without changes in the database nothing is pushed, and only reading shows that the repository is gone. Once a minute.
# 2: no backup yet; 4: repositories differ.
can_read() {
  [ -z "$(find /tmp/read -newermt '-60 seconds' 2> /dev/null)" ] || return 0
  pgbackrest info --output=json | jq --exit-status '.[0].status.code | IN(0, 2, 4)' > /dev/null ||
    { log 'The repository cannot be read, or is gone.'; return 1; }
  touch /tmp/read
}

is_receiving() {
  [ "$(sql -c "SELECT active FROM pg_replication_slots WHERE slot_name = 'backup'" 2> /dev/null)" = t ]
}

# Prints the times of the newest backup, of the newest full one, and of the oldest; 0 if there is none. Prints nothing if
# the repository can't be read.
list_times() {
  pgbackrest info --output=json | jq --raw-output '
    if any(.[].status; .code > 3) then error(map(.status.message) | join(", ")) else . end |
    [.[].backup[]? | select(.error | not)] |
    [map(.timestamp.stop), map(select(.type == "full").timestamp.stop)] |
    "\(.[0] | max // 0) \(.[1] | max // 0) \(.[0] | min // 0)"'
}

# Takes a backup daily at BACKUP_TIME (UTC), a full one weekly, and whatever was missed while this service was stopped.
schedule() {
  local newest full due trial_time trial_success
  while sleep 5; do
    [ -e /tmp/stanza ] && read -r newest full _ < <(list_times) || continue
    echo "$newest" > "$status/newest" || true
    due=$(date -d "today $BACKUP_TIME" +%s)
    if [ "$due" -gt "$(date +%s)" ]; then due=$((due - day)); fi
    read -r trial_time trial_success < <(cat "$status/trial" 2> /dev/null || echo 0 0)
    if [ "$newest" -lt "$due" ] || [ -e "$status/due" ]; then
      take_due "$([ $((due - full)) -lt $((6 * day)) ] && echo diff || echo full)" || { touch /tmp/failed; sleep 600; }
    elif [ $(($(date +%s) - trial_time)) -ge $((trial_success ? 7 * day : day)) ]; then
      "$0" trial || true
    fi
    sleep 60
  done
}

# A restart of the database ends a backup, which says nothing about the repository: only a second failure counts.
take_due() {
  "$0" now "$1" && return
  until pg_isready --quiet; do sleep 1; done
  "$0" now "$1"
}

take() {
  exec 8> /tmp/backup.lock
  flock 8
  log "Taking a $1 backup …"
  # Rows that cannot be read are no missing tables.
  rows=$(count_rows) && record_tables <<< "$rows" || true
  pgbackrest backup --type="$1"
  rm -f "$status/due" /tmp/failed
  list_times | cut -d ' ' -f 1 > "$status/newest"
  log 'The backup is complete.'
}

write_metrics() {
  local trial_time=0 trial_success=0
  read -r trial_time trial_success 2> /dev/null < "$status/trial" || true
  {
    gauge backup_last_success_timestamp_seconds 'End of the newest backup in the repository.' \
      "$(cat "$status/newest" 2> /dev/null || echo 0)"
    gauge backup_wal_archived_timestamp_seconds 'Last time when all completed WAL was in the repository.' \
      "$(cat "$status/archived" 2> /dev/null || echo 0)"
    gauge backup_trial_restore_timestamp_seconds 'End of the last trial restore.' "$trial_time"
    gauge backup_trial_restore_success '1 if the last trial restore had the expected rows, otherwise 0.' "$trial_success"
  } > /tmp/metrics/new
  mv /tmp/metrics/new /tmp/metrics/metrics.txt
}
gauge() { printf '# HELP daybook_%s %s\n# TYPE daybook_%s gauge\ndaybook_%s %s\n' "$1" "$2" "$1" "$1" "$3"; }

# Prints the number of rows of each table, as name|number.
count_rows() {
  sql --dbname=daybook "$@" <<'SQL'
SELECT format('SELECT %L, count(*) FROM %s', pg_class.oid::regclass, pg_class.oid::regclass)
FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE relkind = 'r' AND relpersistence = 'p' AND nspname IN ('public', 'releases') ORDER BY nspname, relname \gexec
SQL
}

# record_tables [OPTIONS OF PSQL]: reads the output of count_rows, and fails with the names of tables that were recorded
# before and are missing now. Otherwise records them. Only a migration may remove a table: the record begins anew then.
record_tables() {
  local tables state missing=''
  tables=$(cut -d '|' -f 1 | sort)
  state=$(sql --dbname=daybook "$@" -c "SELECT md5(string_agg(name, ' ' ORDER BY name)) FROM migrations" 2> /dev/null || true)
  if [ -e "$status/tables" ] && [ "$(head -n 1 "$status/tables")" = "${state:-$(head -n 1 "$status/tables")}" ]; then
    missing=$(tail -n +2 "$status/tables" | sort | comm -23 - <(echo "$tables") | paste -s -d ' ')
  fi
  if [ -n "$missing" ]; then
    log "The database lacks tables that it had: $missing"
    return 1
  fi
  # Before the first migration there is nothing to record.
  [ -z "$state" ] || { echo "$state"; echo "$tables"; } > "$status/tables"
}

# recover FOLDER: replays WAL in a restored folder up to its target, and leaves the server running on a socket in /tmp.
recover() {
  pg_ctl start --pgdata="$1" --silent --timeout=86400 --log=/tmp/recovery.log --options="-c listen_addresses='' \
    -c unix_socket_directories=/tmp -c synchronous_standby_names='' -c archive_mode=off -c shared_buffers=32MB" > /dev/null &&
    until [ "$(sql --host=/tmp -c 'SELECT pg_is_in_recovery()' 2> /dev/null)" = f ]; do
      pg_ctl status --pgdata="$1" > /dev/null || break
      sleep 1
    done
  pg_ctl status --pgdata="$1" > /dev/null || {
    grep -E 'FATAL|PANIC|ERROR' /tmp/recovery.log >&2 || tail -n 20 /tmp/recovery.log >&2
    return 1
  }
}

end_recovery() { pg_ctl stop --pgdata="$1" --silent --mode=fast > /dev/null; }

# Compares with the rows right before and right after a mark in the WAL: signups continue meanwhile.
try_restore() (
  exec 9> /tmp/trial.lock
  flock 9
  log 'Trial restore …'
  echo "$(date +%s) 0" > /tmp/trial-result
  clean_up() {
    end_recovery "$trial" 2> /dev/null || true
    rm -rf "$trial"
    mv /tmp/trial-result "$status/trial"
  }
  trap clean_up EXIT
  rm -rf "$trial"
  # After a restore, the newest backup may be of a state that the present one did not come from.
  [ ! -e "$status/due" ] || "$0" now || fail 'The trial restore failed: there is no backup since the last restore.'
  # Named, because one that ends after the mark cannot be replayed to it.
  backup=$(pgbackrest info --output=json | jq --raw-output '[.[].backup[]? | select(.error | not)] | max_by(.timestamp.stop).label')
  mark=trial-$(date +%s)
  before=$(count_rows)
  segment=$(sql -c "SELECT pg_walfile_name(pg_create_restore_point('$mark'))")
  after=$(count_rows)
  sql -c 'SELECT pg_switch_wal()' > /dev/null
  for attempt in {1..120}; do
    ! pgbackrest --log-level-console=off archive-get "$segment" /tmp/segment || break
    sleep 1
  done
  rm -f /tmp/segment
  pgbackrest restore --pg1-path="$trial" --set="$backup" --type=name --target="$mark" --target-action=promote ||
    fail 'The trial restore failed: see the error above.'
  recover "$trial" || fail 'The trial restore failed: the restored database does not start.'
  restored=$(count_rows --host=/tmp)
  wrong=$(paste -d '|' <(echo "$before") <(echo "$restored") <(echo "$after") |
    awk -F '|' '$1 != $3 || $4 < ($2 < $6 ? $2 : $6) || $4 > ($2 > $6 ? $2 : $6)')
  [ -z "$wrong" ] || fail "The trial restore failed: table|rows before|table|restored|table|rows after: $wrong"
  [ -n "$restored" ] || fail 'The trial restore failed: the database has no tables.'
  record_tables --host=/tmp <<< "$restored" ||
    fail 'The trial restore failed: see the line above. To restore an earlier state: docs/operations.md#restore'
  echo "$(date +%s) 1" > /tmp/trial-result
  log "The trial restore has all rows: ${restored//$'\n'/, }"
)

# Restores into a folder beside the data folder, and replaces the latter only once the restored database has started.
restore() {
  local to='' goal='the newest state' target=(--type=default) oldest timeline segment replaced
  next=$PGDATA.restored
  local usage='Nothing was changed. To restore the newest state: docker compose run --rm restore
To restore that of a moment (UTC): docker compose run --rm restore --to "2026-11-22 14:00"'
  # The service restore runs this command already.
  [ "${1:-}" != restore ] || shift
  if [ $# -gt 0 ]; then
    [ "$1" = --to ] || fail "restore: unknown option “$1”. $usage"
    [ $# -gt 1 ] || fail "restore: --to needs a time. $usage"
    [ $# -eq 2 ] || fail "restore: a time with a space needs quotes. $usage"
    to=$(date -d "$2" +%s) || fail "--to: “$2” is not a time like 2026-11-22 14:00 (UTC)."
    [ "$to" -lt "$(date +%s)" ] || fail "--to: $2 is in the future."
    goal="the state of $(date -d "@$to" '+%F %T') UTC"
    target=(--type=time --target="$(date -d "@$to" '+%F %T+00')" --target-action=promote)
  fi
  require_stopped
  exec 9> "$place/lock"
  flock --nonblock 9 || fail 'The service backup is running. Stop it first: docker compose stop backup'
  read -r _ _ oldest < <(list_times) || fail 'The repository cannot be read. Usual reasons: backup-passphrase is not the one it was made with, or pgbackrest.conf is wrong.'
  [ "$oldest" -gt 0 ] || fail 'The repository has no backup.'
  [ -z "$to" ] || [ "$to" -ge "$oldest" ] || fail "--to: the oldest backup is of $(date -d "@$oldest" '+%F %T') UTC."
  push || log 'Received WAL could not be sent to the repository; using it from here.'

  log "Restoring to $goal …"
  trap 'rm -rf "$next"' EXIT
  # A moment is reached on the timeline of the backup before it. The latest one is that of the last restore, which may
  # have left it before that moment; only a moment between that restore and its first backup is on the latest alone.
  for timeline in ${to:+current} latest; do
    rm -rf "$next"
    pgbackrest restore --pg1-path="$next" "${target[@]}" ${to:+"--target-timeline=$timeline"} ||
      fail 'Nothing was changed: the backup could not be restored.'
    # Received, but not in the repository yet. The server reads it after the WAL of the repository.
    for segment in "$received"/*; do
      [ ! -e "$segment" ] || cp "$segment" "$next/pg_wal/$(basename "$segment" .partial)"
    done
    if recover "$next"; then break; fi
    [ "$timeline" = current ] ||
      fail "Nothing was changed: the restored database does not reach $goal. If nothing changed after that time, restore without --to."
  done
  log "Restored rows: $(count_rows --host=/tmp | paste -s -d ' ')"
  # Its roles have the passwords of then, until the service roles sets those of now.
  sql --host=/tmp > /dev/null <<'SQL'
SELECT pg_create_physical_replication_slot('backup', true)
WHERE NOT EXISTS (SELECT FROM pg_replication_slots WHERE slot_name = 'backup');
SQL
  end_recovery "$next"

  require_stopped
  replaced=$PGDATA.replaced-$(date -u +%Y%m%dT%H%M%SZ)
  if [ -e "$PGDATA" ]; then mv "$PGDATA" "$replaced"; fi
  mv "$next" "$PGDATA"
  # The tail of the replaced data, so that it can still be restored.
  for segment in "$received"/*.partial; do [ ! -e "$segment" ] || mv "$segment" "${segment%.partial}"; done
  push || true
  rm -f "$received"/*
  touch "$status/due"
  if [ -e "$replaced" ]; then log "The former data is in the volume database until you delete it: $replaced"; fi
  log 'Restored. Now: docker compose up --detach --wait'
}

# Waits for the first result of this run. Afterwards, WAL may wait for five minutes: repositories elsewhere are at times out of
# reach. A failed backup counts until one succeeds.
check_health() {
  for _ in {1..50}; do
    if [ -e /tmp/unusable ] || [ -e /tmp/archived ]; then break; fi
    sleep 1
  done
  [ ! -e /tmp/unusable ] || fail "$(cat /tmp/unusable)"
  [ -e /tmp/archived ] || fail 'No WAL was received and stored yet: see the log.'
  [ $(($(date +%s) - $(cat /tmp/archived))) -lt 300 ] || fail 'Received WAL was not stored for five minutes: see the log.'
  [ ! -e /tmp/failed ] || fail 'The last scheduled backup failed: see the log.'
}

require_stopped() {
  local code=0
  pg_isready --quiet || code=$?
  [ $code -eq 2 ] || fail 'postgres is running. Stop it first: docker compose stop backend backup postgres'
}

case ${1:-} in -h | --help) sed -n 's/^#   //p' "$0"; exit ;; esac
[ -w "$place" ] ||
  fail "BACKUP_FOLDER: the user postgres cannot write it. Run: sudo install -d -m 700 -o $(id -u) -g $(id -g) <folder>"
mkdir -p "$received" "$status" /tmp/metrics
case ${1:-} in
  serve)
    date -d "today $BACKUP_TIME" > /dev/null 2>&1 || fail "BACKUP_TIME: must be a time such as 03:00, not “$BACKUP_TIME”"
    exec 9> "$place/lock"
    flock --nonblock 9 || fail 'Another backup or restore works in this repository folder.'
    trap 'kill $(jobs -p); wait; exit 0' TERM INT
    touch --date=@0 /tmp/shrunk
    busybox httpd -f -p 9187 -h /tmp/metrics &
    receive & archive & schedule &
    wait -n
    fail 'A part of this service ended.'
    ;;
  now) take "${2:-diff}" ;;
  trial) try_restore ;;
  restore) shift; restore "$@" ;;
  check-health) check_health ;;
  *) exec pgbackrest "$@" ;;
esac
