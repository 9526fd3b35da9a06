#!/usr/bin/env bash
# Runs once, when the primary is created: lets the standby stream from it.
set -euo pipefail
psql -v ON_ERROR_STOP=1 -v password="$REPLICATION_PASSWORD" -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
create role replication login replication password :'password';
select pg_create_physical_replication_slot('standby');
SQL
echo 'host replication replication all scram-sha-256' >> "$PGDATA/pg_hba.conf"
