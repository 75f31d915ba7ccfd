# For machines without access to an image registry: a program of the profile `monitoring` from a Debian package.
FROM nginx:1.29
ARG PACKAGE
RUN apt-get -o Acquire::Check-Valid-Until=false update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $PACKAGE >/dev/null && rm -rf /var/lib/apt/lists/* && ln -s /usr/bin/$PACKAGE /usr/local/bin/program \
  && ln -s /usr/bin/$PACKAGE /usr/local/bin/${PACKAGE#prometheus-}
# The volumes get this owner.
RUN install -d -o nobody /alertmanager /prometheus
USER nobody
ENTRYPOINT ["program"]
