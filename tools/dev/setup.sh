#!/usr/bin/env bash
# setup.sh: installs what is missing and nothing else: Debian packages (as root or with sudo) and the Python environment
# .venv from requirements.txt and, for device code, the pinned compiler of requirements-cuda.txt. Does nothing, quickly,
# when all is there.
set -euo pipefail
cd "$(dirname "$0")/../.."

packages=(
  build-essential cmake ninja-build ccache pkg-config git binutils
  libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools clang-22 lld-22 clang-tidy-22 clang-format-22 libclang-rt-22-dev
  libzstd-dev libedit-dev libcurl4-gnutls-dev zlib1g-dev libxml2-dev
  libsodium-dev libgtest-dev libbenchmark-dev nlohmann-json3-dev libboost-dev
  python3 python3-dev python3-venv
)

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
if ((${#missing[@]})); then
  as_root=()
  if [[ $(id -u) -ne 0 ]]; then
    command -v sudo >/dev/null || { echo "setup: need root or sudo to install: ${missing[*]}" >&2; exit 1; }
    as_root=(sudo)
  fi
  echo "setup: installing ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# The environment is built from Debian's own interpreter, whose headers python3-dev matches.
requirements=(requirements.txt requirements-cuda.txt)
stamp=.venv/requirements.sha256
wanted=$(cat "${requirements[@]}" | sha256sum | cut -d' ' -f1)
if [[ ! -x .venv/bin/python || $(cat "$stamp" 2>/dev/null) != "$wanted" ]]; then
  echo "setup: making .venv"
  [[ -x .venv/bin/python ]] || /usr/bin/python3 -m venv .venv
  .venv/bin/python -m pip install --quiet --disable-pip-version-check "${requirements[@]/#/-r}"
  echo "$wanted" >"$stamp"
fi
mkdir -p build
