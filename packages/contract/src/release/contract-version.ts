// Without schemas: in one module with them, these constants would add 5 kB to pages.

/**
 * Version of the contract between shell and remotes: the fields of `release.json`, and what the shell provides in the
 * browser. Raised when releases built for the old one would need something else from the shell; the shell then serves
 * releases of both, so that an upgrade of the shell needs no release of any team. The entry of a release of contract 4
 * runs without the federation runtime.
 */
export const contractVersion = 4;

/** The contract of the site's last published version; `e2e/contracts/` has a release of each contract from it on. */
export const oldestContractVersion = 2;
