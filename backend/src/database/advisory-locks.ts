/** Keys of advisory locks: any numbers, each for one purpose in this database. */
export const advisoryLocks = { migrations: 7_305_221, retention: 7_305_222 } as const;
