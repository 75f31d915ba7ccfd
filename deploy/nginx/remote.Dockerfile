# The release of a remote behind a static server. Built from the root of the repository:
#   docker build --file deploy/nginx/remote.Dockerfile --build-arg REMOTE=mf-legal .
ARG NODE_IMAGE=node:24-bookworm-slim
ARG NGINX_IMAGE=nginx:1.29
FROM $NODE_IMAGE AS build
ARG REMOTE
WORKDIR /daybook
COPY --chmod=755 package.json package-lock.json tsconfig.base.json ./
COPY --chmod=755 packages/build/package.json packages/build/
COPY --chmod=755 packages/contract/package.json packages/contract/
COPY --chmod=755 packages/platform/package.json packages/platform/
COPY --chmod=755 packages/releases/package.json packages/releases/
COPY --chmod=755 packages/server/package.json packages/server/
COPY --chmod=755 packages/ui/package.json packages/ui/
COPY --chmod=755 $REMOTE/package.json $REMOTE/
RUN npm ci --workspace $REMOTE --include-workspace-root=false --ignore-scripts --no-audit --no-fund
COPY --chmod=755 packages packages
COPY --chmod=755 $REMOTE $REMOTE
RUN npm run build --workspace $REMOTE

# With the private key of the team, the image carries its signature: --secret id=release-key,src=<file>. Secrets are no
# part of the build cache, so --no-cache-filter signed makes a new signature.
FROM build AS signed
ARG REMOTE
RUN --mount=type=secret,id=release-key \
  if [ -e /run/secrets/release-key ]; then \
    node packages/releases/src/signature/sign-folder.ts $REMOTE $REMOTE/build /run/secrets/release-key; \
  fi

FROM $NGINX_IMAGE
ARG REMOTE
COPY --chmod=755 deploy/nginx/remote.conf /etc/nginx/nginx.conf
COPY --from=signed /daybook/$REMOTE/build /usr/share/nginx/html
USER nginx
EXPOSE 8080
STOPSIGNAL SIGQUIT
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s \
  CMD ["curl", "--fail", "--silent", "--show-error", "--output", "/dev/null", "http://127.0.0.1:8080/release.json"]
# Not the script of the base image, which would change configuration that is not used.
ENTRYPOINT ["nginx", "-g", "daemon off;"]
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="$REMOTE" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"
