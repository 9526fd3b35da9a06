#!/usr/bin/env bash
# Copies the primary if there is no copy yet, and then follows it.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  rm -rf "$PGDATA.part"
  PGPASSWORD="$REPLICATION_PASSWORD" pg_basebackup -h primary -U replication -D "$PGDATA.part" -R -X stream -S standby
  chmod 700 "$PGDATA.part"
  rm -rf "$PGDATA"
  mv "$PGDATA.part" "$PGDATA"
fi
exec postgres -c hot_standby_feedback=on -c max_connections=200
