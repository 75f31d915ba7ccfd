# postgres:18 for machines whose package mirror is a snapshot, with a release file that has expired.
FROM postgres:18
USER root
RUN echo 'Acquire::Check-Valid-Until "false";' > /etc/apt/apt.conf.d/snapshot
