# Functions that .ci/run and .ci/nightly share: packages of the system, steps with their times, a table at the end.

# Programs that the machine must have, each with the Debian package that contains it.
needs=(
  'npm npm'
  'postgres postgresql'
  'psql postgresql-client'
  'nats-server nats-server'
  'mosquitto mosquitto'
  'mosquitto_sub mosquitto-clients'
  'curl curl'
  'openssl openssl'
  'jq jq'
  'python3 python3'
  'faketime faketime'
  'chromium chromium'
  'nginx nginx'
  'haproxy haproxy'
  'promtool prometheus'
  'systemd-analyze systemd'
  'javac openjdk-17-jdk-headless'
  'mvn maven'
)

install_missing() {
  local need missing=()
  for need in "${needs[@]}"; do
    is_installed "${need% *}" || missing+=("${need#* }")
  done
  # Debian ships the files that `python3 -m venv` needs in a separate package.
  python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
  # nginx needs this module to forward anything but HTTP.
  [[ -e /usr/lib/nginx/modules/ngx_stream_module.so ]] || missing+=(libnginx-mod-stream)
  if ((${#missing[@]} == 0)); then
    echo 'nothing is missing'
    return
  fi
  echo "missing: ${missing[*]}"
  if ((EUID != 0)); then
    echo 'Run this as root, or install the packages yourself.' >&2
    return 1
  fi
  # The tests start PostgreSQL themselves, so Debian's package must not start a cluster.
  if [[ ! -e /etc/postgresql-common/createcluster.conf ]]; then
    mkdir -p /etc/postgresql-common
    echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
  fi
  export DEBIAN_FRONTEND=noninteractive
  local apt=(apt-get --quiet --option DPkg::Lock::Timeout=120)
  "${apt[@]}" update
  without_services "${apt[@]}" install --yes --no-install-recommends "${missing[@]}"
}

# Runs a command while Debian's packages are not allowed to start servers: the tests start what they need, and nginx
# would occupy port 80.
without_services() {
  local policy=/usr/sbin/policy-rc.d code=0
  if [[ -e $policy ]]; then
    "$@"
    return
  fi
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
  "$@" || code=$?
  rm "$policy"
  return "$code"
}

# Debian installs servers outside the PATH of ordinary users, and PostgreSQL outside every PATH.
is_installed() {
  local places
  places="$PATH:/usr/sbin:$(printf '%s:' /usr/lib/postgresql/*/bin)"
  PATH="$places" command -v "$1" >/dev/null
}

finished=()
current=''
began=0

# Runs a command as a named step and measures its time.
step() {
  current=$1
  began=$SECONDS
  shift
  printf '\n==> %s\n' "$current"
  "$@"
  printf '%s took %d s\n' "$current" "$((SECONDS - began))"
  finished+=("$((SECONDS - began)) $current")
  current=''
}

# Prints the seconds of each step, also if one failed.
report() {
  local code=$? entry
  if [[ -n $current ]]; then
    finished+=("$((SECONDS - began)) $current: FAILED")
  fi
  printf '\nseconds  step\n'
  for entry in "${finished[@]}"; do
    printf '%7d  %s\n' "${entry%% *}" "${entry#* }"
  done
  printf '%7d  total\n' "$SECONDS"
  exit "$code"
}
