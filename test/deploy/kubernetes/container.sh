# container.sh ROOT APP NODE USER COMMAND…
# Runs a command as a container does: in a root of its own that can't be written, as USER, without any capability. ROOT is a folder
# with what the root begins with; APP becomes its /app, NODE the program `node`. Only in a mount namespace of its own: see container.ts.
set -eu
root=$1 app=$2 node=$3 user=$4
shift 4
mount --make-rprivate /
mount --bind "$root" "$root"
cd "$root"
mkdir -p usr proc dev app opt tmp
for link in bin lib lib64 sbin; do ln -s "usr/$link" "$link"; done
touch opt/node
mount --rbind /usr usr
mount --rbind /proc proc
mount --rbind /dev dev
mount --bind "$app" app
mount --bind "$node" opt/node
for part in . usr app opt/node; do mount -o remount,bind,ro "$part"; done
exec chroot . setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"
