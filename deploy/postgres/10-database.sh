#!/bin/sh
# PostgreSQL's image runs this once, when its volume is new. Carillon's role owns only its database, so that stolen
# credentials of the role do not give access to the rest of the server.
set -eu
password="$(cat "${DATABASE_PASSWORD_FILE:-/run/secrets/database_password}")"
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
  --set name="${DATABASE_NAME:-carillon}" --set password="$password" <<'SQL'
create role :"name" login password :'password';
create database :"name" owner :"name";
revoke connect, temporary on database :"name" from public;
SQL
