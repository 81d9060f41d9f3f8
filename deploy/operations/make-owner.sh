#!/bin/sh
# Run by Postgres's image when it creates the database. The superuser's password is random, and the
# owner is no superuser.
set -eu
PGOPTIONS="-c owner.name=partner_connect -c owner.password=$(cat /run/secrets/owner_db_password)" \
  psql --no-psqlrc --set=ON_ERROR_STOP=1 --dbname="$POSTGRES_DB" --username=postgres --file=/owner.sql
