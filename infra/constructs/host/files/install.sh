#!/bin/bash
# Installs the host from the directory that this file is in, and waits until it serves. May be run again.
#
#   install.sh --metrics-seconds <n> --log-group <name> FLAGS_TABLE=<name> AWS_REGION=<region> PORT=<port> [<NAME>=<value> ...]
#
# The last are environment variables of the host: `npm run host -- --help` lists them.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

metrics_seconds='' log_group='' settings=()
while [ $# -gt 0 ]; do
  case $1 in
    --*) [ $# -ge 2 ] || fail "$1 needs a value" ;;&
    --metrics-seconds) metrics_seconds=$2 && shift ;;
    --log-group) log_group=$2 && shift ;;
    [A-Z]*=?*) settings+=("$1") ;;
    *) fail "there is no option $1" ;;
  esac
  shift
done
setting() { printf '%s\n' "${settings[@]}" | sed -n "s/^$1=//p"; }
table=$(setting FLAGS_TABLE) region=$(setting AWS_REGION) port=$(setting PORT)
for value in "$metrics_seconds" "$log_group" "$table" "$region" "$port"; do
  [ -n "$value" ] || fail 'needs --metrics-seconds, --log-group, FLAGS_TABLE, AWS_REGION and PORT'
done

echo 'user and directories'
getent passwd flagwire >/dev/null ||
  useradd --system --user-group --no-create-home --home-dir /var/lib/flagwire --shell /usr/sbin/nologin flagwire
install -d -m 0755 /opt/flagwire /etc/flagwire /etc/systemd/system /etc/sysctl.d /etc/logrotate.d \
  /opt/aws/amazon-cloudwatch-agent/etc

echo 'program'
install -m 0755 "$here/bun" /opt/flagwire/bun
install -m 0644 "$here/host.js" /opt/flagwire/host.js
umask 022
printf '%s\n' "${settings[@]}" STATE_DIR=/var/lib/flagwire/state NODE_ENV=production >/etc/flagwire/host.env
install -m 0644 "$here/flagwire-host.service" /etc/systemd/system/flagwire-host.service

echo 'kernel settings'
install -m 0644 "$here/sysctl.conf" /etc/sysctl.d/90-flagwire.conf
sysctl --quiet --load /etc/sysctl.d/90-flagwire.conf

echo 'metrics and logs'
dnf install --assumeyes --quiet amazon-cloudwatch-agent logrotate
sed -e "s|\(\"metrics_collection_interval\":\) 60|\1 $metrics_seconds|" -e "s|@LOG_GROUP@|$log_group|" "$here/agent.json" \
  >/opt/aws/amazon-cloudwatch-agent/etc/flagwire.json
/opt/aws/amazon-cloudwatch-agent/bin/amazon-cloudwatch-agent-ctl -a fetch-config -m ec2 -s \
  -c "file:/opt/aws/amazon-cloudwatch-agent/etc/flagwire.json"
install -m 0644 "$here/logrotate.conf" /etc/logrotate.d/flagwire
systemctl enable --now --quiet logrotate.timer

echo 'service'
systemctl daemon-reload
systemctl enable --quiet flagwire-host
systemctl restart flagwire-host
for _ in $(seq 1 60); do
  if curl --silent --fail --max-time 2 "http://127.0.0.1:$port/health/readiness" >/dev/null; then
    echo 'ready'
    exit 0
  fi
  sleep 1
done
tail -n 50 /var/log/flagwire/host.log >&2 || true
fail "the host did not become ready within a minute: does the table $table exist in $region?"
