# Finds the JDK and Maven for the scripts at the root, which source this file.
# Where one is missing and apt-get can be used, it is installed; else one line says what to install.

readonly jdk_hint='install a JDK 17 or newer, for example: apt-get install openjdk-17-jdk'
readonly jdk_packages=(openjdk-17-jdk-headless default-jdk-headless)
readonly maven_hint='install Maven 3.8.6 or newer, for example: apt-get install maven'

fail() {
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  exit 1
}

# Installs the first of several Debian packages that is there, or says the hint and ends.
install_or_fail() {
  local hint=$1 package
  shift
  if [[ $EUID -ne 0 || ! -e /etc/debian_version ]] || ! command -v apt-get >/dev/null; then
    fail "$hint"
  fi
  printf '%s: installing %s with apt-get …\n' "${0##*/}" "$1" >&2
  apt-get -qq update >/dev/null 2>&1 </dev/null || fail "$hint"
  for package in "$@"; do
    if DEBIAN_FRONTEND=noninteractive apt-get -qq -y install "$package" >/dev/null 2>&1 </dev/null; then
      hash -r
      return
    fi
  done
  fail "$hint"
}

# Sets java_home to the JDK in use, without starting it.
locate_java() {
  local java
  java_home=${JAVA_HOME:-}
  if [[ -n $java_home ]]; then
    [[ -x $java_home/bin/java ]] || fail "JAVA_HOME has no bin/java; $jdk_hint"
    return
  fi
  java=$(command -v java) || return 1
  java=$(readlink -f "$java" 2>/dev/null || printf '%s' "$java")
  java_home=${java%/bin/java}
}

# Sets java_version, from the release file that every JDK has.
read_java_version() {
  local line
  java_version=
  if [[ -r $java_home/release ]]; then
    while IFS= read -r line; do
      [[ $line == JAVA_VERSION=* ]] && java_version=${line#*=}
    done <"$java_home/release"
    java_version=${java_version//\"/}
  fi
  if [[ -z $java_version ]]; then
    java_version=$("$java_home/bin/java" -version 2>&1 | awk -F'"' '/version/ { print $2; exit }')
  fi
}

require_java() {
  if ! locate_java; then
    install_or_fail "no java found; $jdk_hint" "${jdk_packages[@]}"
    locate_java
  fi
  read_java_version
  local major=${java_version%%[!0-9]*}
  if ((${major:-0} < 17)); then
    fail "Java ${java_version:-of unknown version} is too old; $jdk_hint"
  fi
}

require_build_tools() {
  require_java
  if [[ ! -x $java_home/bin/javac ]]; then
    [[ -z ${JAVA_HOME:-} ]] || fail "JAVA_HOME has no bin/javac; $jdk_hint"
    install_or_fail "no Java compiler found; $jdk_hint" "${jdk_packages[@]}"
    locate_java
  fi
  command -v mvn >/dev/null || install_or_fail "no Maven found; $maven_hint" maven
  # Some installations of Maven would otherwise take another JDK than the one found above.
  export JAVA_HOME=$java_home
  local version
  version=$(mvn -B -v 2>/dev/null | awk '/Apache Maven/ { for (i = 1; i < NF; i++) if ($i ~ /Maven$/) print $(i + 1); exit }')
  if ! at_least_3_8_6 "$version"; then
    fail "Maven ${version:-of unknown version} is too old; $maven_hint"
  fi
}

at_least_3_8_6() {
  local major minor patch
  IFS=.- read -r major minor patch _ <<<"$1"
  [[ $major =~ ^[0-9]+$ && $minor =~ ^[0-9]+$ && $patch =~ ^[0-9]+$ ]] || return 1
  ((major * 1000000 + minor * 1000 + patch >= 3008006))
}

# Maven's output, line by line as it comes, without colours and its advice on how to use Maven.
without_maven_advice() {
  local line advice colour=$'\e\\[[0-9;]*m'
  advice='^\[ERROR\] *$|^\[ERROR\] \[Help|re-run Maven|Re-run Maven|the following articles'
  advice+='|resume the build|mvn <args>|^\[ERROR\] See dump files'
  while IFS= read -r line || [[ -n $line ]]; do
    while [[ $line =~ $colour ]]; do line=${line//"${BASH_REMATCH[0]}"/}; done
    line=${line% -> \[Help 1\]}
    if [[ -n $line && ! $line =~ $advice ]]; then printf '%s\n' "$line"; fi
  done
}
