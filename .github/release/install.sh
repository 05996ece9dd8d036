#!/bin/sh
# Installs the pytest-mcp binary for this machine, after comparing its checksum:
#
#   curl -fsSL https://github.com/pytest-mcp/pytest-mcp/releases/latest/download/install.sh | sh
#
# PYTEST_MCP_VERSION      a version such as 0.1.0; default: the latest
# PYTEST_MCP_INSTALL_DIR  default: ~/.local/bin
# PYTEST_MCP_BASE_URL     where the files of a release are; default: its page on GitHub

set -eu

fail() {
  printf 'pytest-mcp was not installed: %s\n' "$1" >&2
  exit 1
}

has() {
  command -v "$1" >/dev/null 2>&1
}

binary_name() {
  case "$(uname -s)" in
    Linux) os=linux ;;
    Darwin) os=macos ;;
    *) fail "there is no binary for $(uname -s); on Windows use install.ps1, elsewhere run it with Deno from JSR" ;;
  esac
  case "$(uname -m)" in
    x86_64 | amd64) cpu=x86_64 ;;
    aarch64 | arm64) cpu=aarch64 ;;
    *) fail "there is no binary for a $(uname -m) processor" ;;
  esac
  # a shell that runs translated on an Apple processor says x86_64
  if [ "$os" = macos ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || true)" = 1 ]; then
    cpu=aarch64
  fi
  if [ "$os" = linux ] && has ldd && ldd --version 2>&1 | grep -qi musl; then
    fail "the binary needs glibc and this system has musl; run it with Deno from JSR"
  fi
  printf 'pytest-mcp-%s-%s' "$os" "$cpu"
}

download() {
  if has curl; then
    curl --fail --silent --show-error --location --output "$2" "$1"
  elif has wget; then
    wget --quiet --output-document="$2" "$1"
  else
    fail "neither curl nor wget is here to download it"
  fi || fail "$1 could not be downloaded"
}

checksum_of() {
  if has sha256sum; then
    sum=$(sha256sum "$1")
  elif has shasum; then
    sum=$(shasum -a 256 "$1")
  else
    fail "neither sha256sum nor shasum is here to verify it"
  fi
  printf '%s' "${sum%% *}"
}

# Everything is in a function that the last line calls: a download that breaks off installs nothing.
main() {
  name=$(binary_name)
  releases=https://github.com/pytest-mcp/pytest-mcp/releases
  if [ -n "${PYTEST_MCP_VERSION:-}" ]; then
    base=$releases/download/v${PYTEST_MCP_VERSION#v}
  else
    base=$releases/latest/download
  fi
  base=${PYTEST_MCP_BASE_URL:-$base}
  target=${PYTEST_MCP_INSTALL_DIR:-${HOME:-}/.local/bin}

  [ ! -d "$target/pytest-mcp" ] || fail "$target/pytest-mcp is a directory"
  { mkdir -p "$target" && work=$(mktemp -d "$target/.pytest-mcp.XXXXXX"); } ||
    fail "$target cannot be written to; name another directory with PYTEST_MCP_INSTALL_DIR"
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' INT TERM HUP
  download "$base/SHA256SUMS" "$work/SHA256SUMS"
  download "$base/$name" "$work/pytest-mcp"
  expected=$(sed -n "s/^\([0-9a-f]\{64\}\) [ *]$name\$/\1/p" "$work/SHA256SUMS")
  [ -n "$expected" ] || fail "SHA256SUMS does not name $name"
  actual=$(checksum_of "$work/pytest-mcp")
  [ "$actual" = "$expected" ] || fail "its checksum is $actual instead of $expected"

  chmod 755 "$work/pytest-mcp"
  mv -f "$work/pytest-mcp" "$target/pytest-mcp"
  printf 'Installed %s\n' "$target/pytest-mcp"
  case ":$PATH:" in
    *":$target:"*) ;;
    *) printf 'Add it to PATH to call it by its name, in ~/.profile for example: export PATH="%s:$PATH"\n' "$target" ;;
  esac
  printf 'Next, in your project: pytest-mcp doctor, then pytest-mcp config CLIENT\n'
}

main
