# The edge. An image instead of mounted files: Compose recreates the container when the configuration changes.
# Built from the root of the repository:
#   docker build --file deploy/nginx/edge.Dockerfile .
ARG NGINX_IMAGE=nginx:1.29
FROM $NGINX_IMAGE
COPY --chmod=644 deploy/nginx/edge.conf deploy/nginx/error.shtml deploy/nginx/start.sh /etc/daybook/
# Volumes get the owner of these folders.
RUN install --directory --owner=nginx --group=nginx /var/cache/edge /run/edge
USER nginx
EXPOSE 8080
STOPSIGNAL SIGQUIT
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s \
  CMD ["curl", "--fail", "--silent", "--show-error", "http://127.0.0.1:8081/healthz"]
CMD ["sh", "/etc/daybook/start.sh", "nginx", "-e", "stderr", "-c", "/etc/daybook/edge.conf", "-g", "daemon off;"]
# No revision: the image must be the same until its content changes, because Compose replaces the container otherwise.
ARG VERSION=unknown
LABEL org.opencontainers.image.title="edge" \
      org.opencontainers.image.version="$VERSION"
