#!/bin/bash
# Installs the host from the directory that this file is in, and waits until it serves. May be run again.
#
#   install.sh --table <name> --region <region> --port <port> --missing-attribute <empty|no-match> --metrics-seconds <n> --log-group <name>
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

table='' region='' port='' missing_attribute='' metrics_seconds='' log_group=''
while [ $# -gt 0 ]; do
  [ $# -ge 2 ] || fail "$1 needs a value"
  case $1 in
    --table) table=$2 ;;
    --region) region=$2 ;;
    --port) port=$2 ;;
    --missing-attribute) missing_attribute=$2 ;;
    --metrics-seconds) metrics_seconds=$2 ;;
    --log-group) log_group=$2 ;;
    *) fail "there is no option $1" ;;
  esac
  shift 2
done
for value in "$table" "$region" "$port" "$missing_attribute" "$metrics_seconds" "$log_group"; do
  [ -n "$value" ] || fail 'needs --table, --region, --port, --missing-attribute, --metrics-seconds and --log-group'
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
cat >/etc/flagwire/host.env <<EOF
FLAGS_TABLE=$table
AWS_REGION=$region
PORT=$port
MISSING_ATTRIBUTE=$missing_attribute
STATE_DIR=/var/lib/flagwire/state
INSIGHT_FILE=/var/lib/flagwire/insights.ndjson
NODE_ENV=production
EOF
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
