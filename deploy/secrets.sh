#!/bin/sh
# Generates .env and the secrets of compose.yaml in secrets/. Existing files are never overwritten.
#
#   ./secrets.sh https://push.example.com                 then copy fullchain.pem and privkey.pem to secrets/tls/
#   ./secrets.sh https://push.example.com --self-signed   also generates an untrusted TLS certificate for tests
#
# Inside a container, a secret has the owner that its file has here, so the files must be readable by all users. The same
# holds for secrets/tls, which is mounted as a directory. On this machine, the mode of secrets/ (0700) protects them.
set -eu
cd "$(dirname "$0")"

url="${1:-}"
certificate="${2:-}"
host="$(printf '%s' "$url" | sed -n 's|^https://\([A-Za-z0-9.-]*\)\(:[0-9]*\)\{0,1\}$|\1|p')"
port="$(printf '%s' "$url" | sed -n 's|^https://[^:]*:||p')"
case "$host/$certificate" in
/*) echo 'The public URL is missing or invalid. Usage: ./secrets.sh https://push.example.com [--self-signed]' >&2 && exit 64 ;;
*/ | */--self-signed) ;;
*) echo "Unknown option: $certificate. Usage: ./secrets.sh https://push.example.com [--self-signed]" >&2 && exit 64 ;;
esac
for made in .env secrets; do
  if [ -e "$made" ]; then
    echo "$made already exists. Nothing was changed." >&2
    exit 1
  fi
done

umask 077
# 32 random bytes in hexadecimal, which need no escaping.
random() { od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n'; }
# Files are written to a temporary directory first, so that an interrupted run can be repeated.
save() { cat >"$work/$1" && chmod 0444 "$work/$1"; }
work="$(mktemp -d ./.secrets-XXXXXX)"
trap 'rm -rf "$work"' EXIT

# PostgreSQL is on an internal network of this machine, so its connections need no TLS.
save_database() {
  password="$(random)"
  printf '%s' "$password" | save "database_password$2"
  printf 'postgres://%s:%s@postgres:5432/carillon?sslmode=disable' "$1" "$password" | save "database_url$2"
}
random | save postgres_password
save_database carillon '' # owner
for role in api gateway worker; do
  save_database "carillon_$role" "_$role"
  random | save "nats_password_$role"
done
route_password="$(random)"
random | save grafana_password
# Two keys of one purpose must never share an id, so the id is the time of creation in seconds.
for purpose in apps callbacks credentials; do
  printf '%s:%s' "$(date -u +%Y%m%d-%H%M%S)" "$(head -c 32 /dev/urandom | base64 | tr -d '\n')" | save "master_keys_$purpose"
done
save nats.conf <<NATS
authorization {
  users: [
    {
      user: api, password: "$(cat "$work/nats_password_api")"
      permissions: {
        publish: ["carillon.wake-up.*", "carillon.revocation", "carillon.doctor.*"]
        subscribe: ["carillon.doctor.*"]
      }
    }
    {
      user: gateway, password: "$(cat "$work/nats_password_gateway")"
      permissions: {
        publish: ["carillon.gateway.*.takeover", "carillon.doctor.*"]
        subscribe: ["carillon.gateway.*.*", "carillon.revocation", "carillon.doctor.*"]
        allow_responses: true
      }
    }
    {
      user: worker, password: "$(cat "$work/nats_password_worker")"
      permissions: {
        publish: ["carillon.wake-up.*", "carillon.gateway.*.deliver", "carillon.gateway.*.inbox", "carillon.gateway.*.recall", "carillon.doctor.*"]
        subscribe: ["carillon.wake-up.*", "carillon.reply.>", "carillon.doctor.*"]
      }
    }
  ]
}
cluster {
  name: carillon
  listen: "0.0.0.0:6222"
  authorization { user: route, password: "$route_password" }
  routes: [
    "nats://route:$route_password@nats-1:6222"
    "nats://route:$route_password@nats-2:6222"
    "nats://route:$route_password@nats-3:6222"
  ]
}
NATS

mkdir "$work/tls"
if [ "$certificate" = --self-signed ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -noenc -days 30 -subj "/CN=$host" \
    -addext "subjectAltName=DNS:$host" -keyout "$work/tls/privkey.pem" -out "$work/tls/fullchain.pem" 2>/dev/null
  chmod 0444 "$work/tls/privkey.pem" "$work/tls/fullchain.pem"
fi
chmod 0755 "$work/tls"
mv "$work" secrets
trap - EXIT
sed "s|^CARILLON_PUBLIC_URL=.*|CARILLON_PUBLIC_URL=$url|; s|^HTTPS_PORT=.*|HTTPS_PORT=${port:-443}|" .env.example >.env
echo 'Created .env and secrets/. Keep a copy of secrets/master_keys_* elsewhere: without them vendor credentials are lost.' >&2
