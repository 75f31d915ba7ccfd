export { type RemoteBuildOptions, remote } from './remote.ts';
export { type ShellBuildOptions, shell } from './shell.ts';
export { sourceHash } from './source-hash.ts';
