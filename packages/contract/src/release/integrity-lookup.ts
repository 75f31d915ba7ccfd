/**
 * The property of `globalThis` under which the shell tells the integrity value that a file must have. Each remote's
 * bundler runtime asks it for every chunk and style that it loads; see the build's `IntegrityRuntimePlugin`.
 */
export const integrityLookupName = 'daybookIntegrityOf';

/**
 * Gives the integrity value of a file.
 *
 * @param address absolute address of the file
 */
export type IntegrityLookup = (address: string) => string;

/** Well-formed, and the hash of nothing that exists: a browser refuses any file with it. An empty or malformed value it would ignore. */
export const refusedIntegrity = `sha384-${'A'.repeat(64)}`;
