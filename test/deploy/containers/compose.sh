#!/bin/bash
# By night: builds docker-compose.yml and deploy/backup.yml on the images of base-images.sh and runs
# them, with a Docker daemon and a network of its own: health, `doctor`, `deploy/roll`, a rerun that
# replaces nothing, a backup and its restore.
#   compose.sh [FOLDER]            what is made of Debian and npm stays there for the next run
set -euo pipefail
folder=${1:-/var/tmp/partner-connect-compose}
for program in dockerd debootstrap unshare ip curl git; do
  command -v $program >/dev/null || { echo "skipped: no $program on this machine"; exit 0; }
done
[ "$(id -u)" = 0 ] || { echo "skipped: dockerd needs root"; exit 0; }
docker compose version >/dev/null || { echo "skipped: no docker compose on this machine"; exit 0; }
mkdir -p "$folder"
export DOCKER_HOST=unix://$folder/docker.sock

daemon() {
  dockerd --data-root "$folder/data" --exec-root "$folder/exec" --pidfile "$folder/pid" --host "$DOCKER_HOST" "$@" >"$folder/log" 2>&1 &
  daemon=$!
  trap 'kill $daemon; wait $daemon' EXIT
  until docker info >/dev/null 2>&1; do kill -0 $daemon; sleep 1; done
}
same() { [ "$2" = "$3" ] || { printf 'failed: %s\n%s\n%s\n' "$@"; exit 1; }; }

if [ "${2:-build}" = build ]; then
  daemon --iptables=false --ip6tables=false --bridge=none
  here=$(realpath "$(dirname "$0")")
  "$here/base-images.sh" "$folder/base" >"$folder/base.log" 2>&1 || { tail "$folder/base.log"; exit 1; }
  rm -rf "$folder/tree" "$folder/backup"
  mkdir "$folder/tree"
  git -C "$here/../../.." archive HEAD >"$folder/tree.tar"
  tar --extract --file "$folder/tree.tar" --directory "$folder/tree"
  cd "$folder/tree"
  deploy/make-secrets
  install -d -m 700 -o 1001 -g 1001 "$folder/backup" "$folder/backup/base" "$folder/backup/wal"
  { cat deploy/example.env; echo "COMPOSE_FILE=docker-compose.yml:deploy/backup.yml"; echo "BACKUP_DIR=$folder/backup"; } >.env
  echo 'services:' >network.yml
  for name in gateway authorization-server-1 resource-server-1 worker setup; do
    echo "  $name: { build: { network: host } }" >>network.yml
  done
  docker compose --file docker-compose.yml --file network.yml build >"$folder/build.log" 2>&1 || { tail "$folder/build.log"; exit 1; }
  trap - EXIT
  kill $daemon
  wait $daemon || true
  exec unshare --net "$here/$(basename "$0")" "$folder" run
fi

ip link set lo up
sysctl --quiet --write net.ipv6.conf.all.disable_ipv6=0 net.ipv4.ip_forward=1
daemon --experimental --ip6tables
cd "$folder/tree"
docker compose down --volumes >/dev/null 2>&1
up() { docker compose up --no-build --quiet-pull --wait --wait-timeout 300 >"$folder/up.log" 2>&1 || { tail -n 40 "$folder/up.log"; exit 1; }; }
doctor() { docker compose run --rm -T operator doctor || { echo "failed: doctor $1"; exit 1; }; }
running() { docker compose ps --quiet | sort; }

up
for path in .well-known/oauth-authorization-server oauth/api/jwks docs; do
  curl --fail --silent --show-error --location --output /dev/null "http://localhost:8080/$path"
done
doctor "of a new system"
first=$(running)
deploy/roll
rolled=$(running)
same "deploy/roll left all but three of ours" "$(comm -12 <(echo "$first") <(echo "$rolled") | wc -l)" 3
up
same "a rerun replaced containers" "$(running)" "$rolled"

docker compose run --rm -T operator client create --name Kept --scope responses:read --redirect-uri https://partner.example/callback >/dev/null
docker compose exec -T postgres /base-backup.sh /backup
docker compose run --rm -T operator client create --name Later --scope responses:read --redirect-uri https://partner.example/callback >/dev/null
docker compose stop >/dev/null 2>&1
docker compose run --rm -T --no-deps --entrypoint /restore-backup.sh postgres /backup "$(ls "$folder/backup/base")"
up
doctor "after a restore"
same "clients after a restore to the end of the log" "$(docker compose run --rm -T operator client list | grep -cE 'Kept|Later')" 2
docker compose down --volumes >/dev/null 2>&1
echo "passed: compose was built, started, rolled, copied and restored"
