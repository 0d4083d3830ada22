#!/bin/bash
# Boots systemd in namespaces of its own, on a copy of this machine's files that forgets all changes. As root, on Linux with overlayfs and
# version 2 of control groups. It shares the network and the users' names with this machine, and changes nothing on it.
#
#   boot.sh <directory> <files> [<kernel setting> ...]
#
# <directory> is empty and stays so; <files> is copied over the machine's root; each <kernel setting>, e.g. vm.swappiness, can be written and
# read there, and is not the kernel's. All other kernel settings are read-only.
#
# With PROBE set it stops before systemd, to find out whether all of this may be done here.
set -euo pipefail

if [ "${STAGE:-}" = '' ]; then
  STAGE=cgroup exec unshare --mount "$0" "$@"
fi

directory=$1
files=$2
shift 2

if [ "$STAGE" = cgroup ]; then
  # systemd takes the root of the control groups that it sees for its own.
  mount -t tmpfs tmpfs "$directory"
  mkdir "$directory/cgroup"
  mount -t cgroup2 cgroup2 "$directory/cgroup"
  group="$directory/cgroup/flagwire-$$"
  mkdir "$group"
  export STAGE=machine
  (
    echo "$BASHPID" >"$group/cgroup.procs"
    exec unshare --mount --pid --cgroup --uts --ipc --fork --kill-child "$0" "$directory" "$files" "$@"
  ) &
  machine=$!
  # Its first process, and with it all others.
  trap 'kill -KILL "$machine" 2>/dev/null' TERM INT
  result=0
  wait "$machine" || result=$?
  until grep -q 'populated 0' "$group/cgroup.events"; do sleep 0.05; done
  find "$group" -depth -type d -exec rmdir {} +
  exit "$result"
fi

root="$directory/root"
mkdir "$root" "$directory/upper" "$directory/work" "$directory/settings"
mount -t overlay overlay -o "lowerdir=/,upperdir=$directory/upper,workdir=$directory/work" "$root"

mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do cp --archive "/dev/$device" "$root/dev/$device"; done
ln -s /proc/self/fd "$root/dev/fd"
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
ln -s pts/ptmx "$root/dev/ptmx"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t proc proc "$root/proc"
mount --bind "$root/proc/sys" "$root/proc/sys"
mount -o remount,bind,ro "$root/proc/sys"
for setting in "$@"; do
  file="${setting//.//}"
  cp --no-preserve=mode "/proc/sys/$file" "$directory/settings/$setting"
  mount --bind "$directory/settings/$setting" "$root/proc/sys/$file"
done

# Nothing that this machine has set up, and none of systemd's own services that look at hardware.
rm -rf "$root/etc/systemd/system"
tr -d - </proc/sys/kernel/random/uuid >"$root/etc/machine-id"
mkdir "$root/etc/systemd/system"
for unit in systemd-{sysctl,modules-load,binfmt,remount-fs,random-seed,hwdb-update}.service systemd-udev{d,-trigger}.service \
  systemd-journald-audit.socket dev-{hugepages,mqueue}.mount sys-{kernel-{debug,tracing,config},fs-fuse-connections}.mount \
  proc-sys-fs-binfmt_misc.automount; do
  ln -s /dev/null "$root/etc/systemd/system/$unit"
done
# A machine that has started everything is one that a service may be installed on.
ln -s /lib/systemd/system/basic.target "$root/etc/systemd/system/default.target"
[ "${PROBE:-}" = '' ] || exit 0
cp --recursive --no-preserve=ownership "$files/." "$root/"
# Not a chroot, in which the kernel lets nobody make a namespace of users.
mkdir "$root/old"
cd "$root"
pivot_root . old
umount --lazy /old
rmdir /old
exec env -i container=flagwire PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --system --log-target=journal
