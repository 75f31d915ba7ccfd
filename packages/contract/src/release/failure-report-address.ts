// Apart from the report's schema, which pages don't need: with it they would carry 4 kB of schemas.

/** Where pages report that a remote failed; an answer is not waited for. */
export const failureReportAddress = '/_failures';
