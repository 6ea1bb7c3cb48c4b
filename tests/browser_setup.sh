#!/bin/sh
# Debian's chromium and a font with Chinese for the browser tests, where they are missing and apt is permitted.
# Where it is not, one line says so, and the tests say that they did not run.
set -u

missing=""
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || missing="chromium"
fc-list :lang=zh-tw 2>/dev/null | grep -q . || missing="${missing:+$missing }fonts-noto-cjk"
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then root=""
elif sudo -n true 2>/dev/null; then root="sudo -n"
else root="none"
fi
if [ "$root" = none ] || ! command -v apt-get >/dev/null; then
  echo "missing for the browser tests, and not ours to install: $missing"
  exit 0
fi
echo "installing for the browser tests: $missing"
install() { $root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null 2>&1; }
install || { $root apt-get update -qq >/dev/null 2>&1 && install; } || echo "they could not be installed: $missing"
exit 0
