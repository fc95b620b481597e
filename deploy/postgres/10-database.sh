#!/bin/sh
# PostgreSQL's image runs this once, when its volume is new. It creates a database with four roles: its owner, which migrates
# it, and one for each kind of process. A migration gives these three only the rights that their process needs.
set -eu
passwords="${DATABASE_PASSWORD_FILE:-/run/secrets/database_password}"
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres \
  --set name="${DATABASE_NAME:-carillon}" --set password="$(cat "$passwords")" \
  --set api="${DATABASE_NAME:-carillon}_api" --set api_password="$(cat "${passwords}_api")" \
  --set gateway="${DATABASE_NAME:-carillon}_gateway" --set gateway_password="$(cat "${passwords}_gateway")" \
  --set worker="${DATABASE_NAME:-carillon}_worker" --set worker_password="$(cat "${passwords}_worker")" <<'SQL'
create role :"name" login password :'password';
create role :"api" login password :'api_password';
create role :"gateway" login password :'gateway_password';
create role :"worker" login password :'worker_password';
-- Workers create and drop the tables of single days, so these tables belong to them. The owner must be able to change them.
grant :"worker" to :"name";
create database :"name" owner :"name";
revoke connect, temporary on database :"name" from public;
grant connect on database :"name" to :"api", :"gateway", :"worker";
SQL
