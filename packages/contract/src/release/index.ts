/** A release and the registry of releases, for builds, the shell server and the release command. */
export * from './contract-version.ts';
export * from './registry.ts';
export * from './release.ts';
export * from './site-paths.ts';
