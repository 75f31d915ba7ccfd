// Apart from the report's schema, which pages don't need: with it they would carry 4 kB of schemas.

/** Where pages report what became of a remote; an answer is not waited for. */
export const pageReportAddress = '/_reports';

/** The `Server-Timing` of pages and registry whose description is the nonce that a report needs while a canary runs. */
export const reportNonceName = 'report-nonce';
