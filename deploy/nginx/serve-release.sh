#!/bin/sh
# serve-release.sh COMMAND...: runs the server of the release of $REMOTE. If the container has a private key, signs the
# release first, in the format of packages/releases/src/signature/signature.ts, for stacks that make their keys by themselves. Keys of
# teams belong where images are built, which then carry the signature.
set -eu
key=${RELEASE_KEY:-/run/secrets/release-key/key.pem}
folder=${RELEASE_FOLDER:-/usr/share/nginx/html}
signed=${SIGNED_RELEASE:-/tmp/release.jws}

# Mounted, but still empty: the service release-keys has not made the key yet.
[ ! -d "$(dirname "$key")" ] || until [ -s "$key" ]; do
  [ -n "${is_waiting:-}" ] || echo "Waiting for $key, which the service release-keys makes." >&2
  is_waiting=yes
  sleep 0.2
done

as_base64url() { base64 | tr '+/' '-_' | tr -d '=\n'; }

if [ -e "$key" ]; then
  now=$(date +%s)
  public=$(openssl pkey -in "$key" -pubout -outform DER | tail -c 32 | as_base64url)
  integrity=sha384-$(openssl dgst -sha384 -binary "$folder/release.json" | base64 | tr -d '\n')
  header='{"alg":"Ed25519","typ":"daybook-release+jwt","kid":"'$public'"}'
  claims='{"sub":"'$REMOTE'","iat":'$now',"exp":'$((now + 400 * 86400))',"integrity":"'$integrity'"}'
  printf '%s.%s' "$(printf %s "$header" | as_base64url)" "$(printf %s "$claims" | as_base64url)" > "$signed.input"
  # Ed25519 signs a whole file; openssl cannot read it from a pipe.
  openssl pkeyutl -sign -rawin -inkey "$key" -in "$signed.input" -out "$signed.signature"
  {
    cat "$signed.input"
    printf '.%s\n' "$(as_base64url < "$signed.signature")"
    cat "$folder/release.json"
  } > "$signed"
  rm "$signed.input" "$signed.signature"
fi
exec "$@"
