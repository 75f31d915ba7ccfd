# For machines without access to an image registry, whose local postgres:18 contains an older server: replaces that
# server with the one of npm start. The client programs stay old.
FROM postgres:18
USER root
RUN mv /usr/lib/postgresql/* /usr/lib/postgresql-older
COPY . /usr/lib/postgresql/18
RUN cd /usr/lib/postgresql-older/bin && cp psql createdb pg_isready pg_dump pg_restore /usr/lib/postgresql/18/bin/ \
 && for program in /usr/lib/postgresql/18/bin/*; do ln -sf "$program" /usr/local/bin/; done \
 && echo "unix_socket_directories = '/var/run/postgresql'" >> /usr/lib/postgresql/18/share/postgresql/postgresql.conf.sample
