/** What only servers and builds read: the shell's manifest, and the operator's settings. */
export * from './shell-manifest.ts';
export * from './site-settings.ts';
