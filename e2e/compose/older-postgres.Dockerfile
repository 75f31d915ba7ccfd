# A postgres:18 that holds an older server, as a local stand-in does where no image registry can be reached, with the
# server of npm start put in its place. Its client programs stay the older ones.
FROM postgres:18
USER root
RUN mv /usr/lib/postgresql/* /usr/lib/postgresql-older
COPY . /usr/lib/postgresql/18
RUN cd /usr/lib/postgresql-older/bin && cp psql createdb pg_isready pg_dump pg_restore /usr/lib/postgresql/18/bin/ \
 && for program in /usr/lib/postgresql/18/bin/*; do ln -sf "$program" /usr/local/bin/; done \
 && echo "unix_socket_directories = '/var/run/postgresql'" >> /usr/lib/postgresql/18/share/postgresql/postgresql.conf.sample
