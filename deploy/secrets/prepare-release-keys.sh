#!/bin/sh
# Makes a key pair that signs the releases of each remote of this stack, in a volume for each: no remote can sign for another.
# SECRETS_FOLDER (mounted at /given) may have the private key of a remote, as release-key-<remote>; a remote that its
# trusted-keys names is signed elsewhere. Writes the public keys for the shell server.
set -eu
umask 022

trusted=/run/secrets/trusted-keys

is_given() { grep -q '[^[:space:]]' "/given/$1" 2>/dev/null; }

# Writes to another file first, then renames it: readers never see a partial secret.
write() {
  cat > "$1.new"
  mv "$1.new" "$1"
}

if is_given trusted-keys; then grep '[^[:space:]]' /given/trusted-keys; fi | tr -d ' \t\r' > "$trusted/trusted-keys.new"
for folder in /run/secrets/release-keys/*; do
  remote=$(basename "$folder")
  if is_given "release-key-$remote"; then
    write "$folder/key.pem" < "/given/release-key-$remote"
  elif [ ! -s "$folder/key.pem" ]; then
    openssl genpkey -algorithm ed25519 | write "$folder/key.pem"
    echo "Made a key pair that signs the releases of $remote."
  fi
  grep -q "^$remote:" "$trusted/trusted-keys.new" || {
    printf '%s:' "$remote"
    openssl pkey -in "$folder/key.pem" -pubout -outform DER | tail -c 32 | base64 | tr '+/' '-_' | tr -d '='
  } >> "$trusted/trusted-keys.new"
done
mv "$trusted/trusted-keys.new" "$trusted/trusted-keys"
echo "Keys that the shell server trusts:" $(cat "$trusted/trusted-keys")
