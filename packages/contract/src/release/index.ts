/** A release and the remote index, for builds, the shell server and the release command. */
export * from './api-number.ts';
export * from './paths.ts';
export * from './release.ts';
export * from './releases-api.ts';
export * from './remote-index.ts';
