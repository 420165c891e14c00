#!/bin/sh
# npm start: installs, builds, and becomes the gateway. Nothing stands between npm and the gateway after that,
# so that it gets every signal once and its exit code is npm's.
cd "$(dirname "$0")/.." || exit 1
node tooling/bootstrap.mjs build || exit $?
if [ -f turnwire.config.json5 ]; then
  set -- start --config turnwire.config.json5 "$@"
else
  set -- playground "$@"
fi
exec node_modules/.bin/node apps/gateway/bin/turnwire.js "$@"
