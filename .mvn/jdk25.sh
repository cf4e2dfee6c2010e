# Finds a JDK 25 and exports its place as JAVA_HOME. Sourced by mvnw and by samples/run, in any POSIX shell.
# GraalVM 25 compiles guest code on JDK 25 only, so an older or newer one does not do.

# Succeeds if the folder holds a JDK 25. The file "release" is read instead of asking java, which would take a
# tenth of a second for each folder.
is_jdk25() {
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] && grep -q '^JAVA_VERSION="25[."]' "$1/release"
}

# Prints the first JDK 25 found: where a variable points, beside the javac on the PATH, then the usual places.
find_jdk25() {
  javac=$(command -v javac) && javac=$(readlink -f "$javac" 2>/dev/null) || javac=
  for home in \
    "${JAVA_HOME-}" "${JDK_25_HOME-}" "${JAVA_25_HOME-}" "${JDK25_HOME-}" "${JAVA25_HOME-}" \
    "${JAVA_HOME_25-}" "${JAVA_HOME_25_X64-}" "${JAVA_HOME_25_ARM64-}" "${GRAALVM_HOME-}" \
    "${javac%/bin/javac}" \
    /usr/lib/jvm/* /usr/java/* /opt/* /opt/java/* /opt/jdks/* \
    "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* "$HOME"/.local/share/mise/installs/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "$HOME"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    /opt/homebrew/opt/openjdk@25/libexec/openjdk.jdk/Contents/Home \
    /usr/local/opt/openjdk@25/libexec/openjdk.jdk/Contents/Home; do
    if [ -n "$home" ] && is_jdk25 "$home"; then
      printf '%s\n' "$home"
      return 0
    fi
  done
  return 1
}

if ! JAVA_HOME=$(find_jdk25); then
  cat >&2 <<'MESSAGE'
Blockscope needs a JDK 25, and none was found on this machine. Install one, for instance Eclipse Temurin 25:
  Debian, Ubuntu   apt install temurin-25-jdk    (or openjdk-25-jdk, where the release has it)
  Fedora           dnf install java-25-openjdk-devel
  macOS            brew install --cask temurin@25
  SDKMAN           sdk install java 25-tem
If you have one in a place of its own, point JAVA_HOME at it.
MESSAGE
  exit 1
fi
export JAVA_HOME
