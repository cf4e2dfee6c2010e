# Starts a class of one module with guest code compiled, after building what is missing or outdated.
# Sourced by samples/run and src/bench/run, which set $root to the folder of the repository.

. "$root/.mvn/jdk25.sh"

# launch MODULE CLASS ARGUMENT...   does not return: the class takes the place of the shell
launch() {
  local module=$1 class=$2
  shift 2
  local modules=("$root/engine" "$root/bindings/jsr223" "$root/bindings/onnx" "$root/bindings/pekko" "$root/$module")
  local class_path=$root/$module/target/class-path
  if outdated; then build; fi

  # Java cannot tell whether standard error is a terminal, and only there is progress shown.
  local terminal=false
  if [[ -t 2 ]]; then terminal=true; fi

  # The JVMCI flags and the Graal compiler let a stock JDK compile guest code; the switches after them say that native
  # code and Unsafe are used on purpose. DJL, which brings the tokenizer, is told to stay off the network.
  exec "$JAVA_HOME/bin/java" \
    -XX:+UnlockExperimentalVMOptions -XX:+EnableJVMCI \
    "--upgrade-module-path=$root/engine/target/graal-compiler" \
    --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
    -Djava.awt.headless=true -Dai.djl.offline=true -DOPT_OUT_TRACKING=true \
    -Dblockscope.samples.terminal=$terminal \
    -cp "$(printf '%s/target/classes:' "${modules[@]}")$(<"$class_path")" \
    "$class" "$@"
}

# Whether a source or a pom is younger than the last build. Folders count, so a file taken away is noticed.
outdated() {
  [[ -f $class_path ]] || return 0
  [[ -n $(find "$root/pom.xml" "${modules[@]/%//pom.xml}" "${modules[@]/%//src/main}" \
    -newer "$class_path" -print -quit) ]]
}

build() {
  if [[ -t 2 ]]; then
    echo "building (the first time also downloads what Blockscope uses, which takes some minutes) ..." >&2
  fi
  # The build writes this file anew, so that it is as young as what was built.
  rm -f "$class_path"
  local log
  log=$(mktemp)
  if ! "$root/mvnw" --batch-mode --no-transfer-progress --file "$root/pom.xml" \
    --projects "$module" --also-make process-classes &>"$log"; then
    cat "$log" >&2
    rm -f "$log"
    exit 1
  fi
  rm -f "$log"
}
