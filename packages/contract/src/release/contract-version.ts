// Without schemas: in one module with them, these constants would add 5 kB to pages.

/**
 * Version of the contract between shell and remotes: the fields of `release.json`, what the shell provides in the browser,
 * and what it requests from a remote's container. Raised when releases built for the old one would need something else from
 * the shell; the shell then serves releases of both, so that an upgrade of the shell needs no release of any team.
 */
export const contractVersion = 2;

/**
 * The contracts whose releases a shell serves. When the version is raised, the one before stays for an upgrade. Contract 1,
 * whose containers exposed a list of pages instead of each page, was never in a version of the product.
 */
export const servedContracts: readonly number[] = [contractVersion];
