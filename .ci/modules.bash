# The modules of the build, and which of them a changed file can affect. Sourced by ./test at the root.

# Lists the directories of all modules, in the order of the root pom.xml.
all_modules() {
  sed -n 's|^ *<module>\(.*\)</module>.*|\1|p' pom.xml
}

is_module() {
  all_modules | grep -qxF -- "$1"
}

# Prints the module that a file is in, or nothing.
module_of() {
  local directory=${1%/*}
  while [[ $directory == */* ]]; do
    if is_module "$directory"; then break; fi
    directory=${directory%/*}
  done
  if is_module "$directory"; then printf '%s\n' "$directory"; fi
}

# Prints "MODULE DEPENDENCY" for each of our modules that one of our modules uses, also in tests.
module_dependencies() {
  local module
  for module in $(all_modules); do
    # The artifact ids of Weir in a pom: the parent's, its own, and then those it depends on.
    sed -n 's|.*<artifactId>weir-\(.*\)</artifactId>.*|\1|p' "$module/pom.xml" \
      | awk -v module="$module" '$1 == "parent" { next } ++n == 1 { print "own", $1, module; next } { print "uses", module, $1 }'
  done | awk '
    $1 == "own" { directory[$2] = $3 }
    $1 == "uses" { user[++n] = $2; used[n] = $3 }
    END { for (i = 1; i <= n; i++) if (used[i] in directory) print user[i], directory[used[i]] }
  '
}

# Prints the given modules and those that depend on them, directly or not.
with_dependents() {
  module_dependencies | awk -v modules="$*" '
    BEGIN { n = split(modules, names, " "); for (i = 1; i <= n; i++) affected[names[i]] = 1 }
    { user[NR] = $1; used[NR] = $2 }
    END {
      do {
        grown = 0
        for (i = 1; i <= NR; i++) if (used[i] in affected && !(user[i] in affected)) { affected[user[i]] = 1; grown = 1 }
      } while (grown)
      for (module in affected) print module
    }
  '
}

# Reads changed files, one a line, and prints the modules whose tests they can affect, in build order.
affected_modules() {
  local file module mains=() others=()
  while IFS= read -r file; do
    module=$(module_of "$file")
    case $file in
      pom.xml | test | .mvn/* | .ci/*) mapfile -t others < <(all_modules) ;;
      docs/performance/*.json | docs/images/* | LICENSE | .gitignore) ;;
      # Pages are examples that tests run.
      docs/guides/*) others+=(cli server spring-boot-starter) ;;
      docs/conformance/*) others+=(cli conformance server) ;;
      docs/reference/*) others+=(cli server) ;;
      docs/* | *.md | weir) others+=(cli) ;;
      */src/test/* | */src/jcstress/*) others+=("$module") ;;
      *) mains+=("$module") ;;
    esac
    # Rules for all sources are checked by tests of the runner.
    if [[ $file == *.java ]]; then others+=(test-runner); fi
  done
  {
    with_dependents ${mains[@]+"${mains[@]}"}
    printf '%s\n' ${others[@]+"${others[@]}"}
  } | sort -u | grep -xFf - <(all_modules) || true
}
