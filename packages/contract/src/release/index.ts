/** A release and the remote index, for builds, the shell server and the release command. */
export * from './contract-version.ts';
export * from './release.ts';
export * from './remote-index.ts';
export * from './site-paths.ts';
