export { changedPages, checkDates, type DateOptions } from './changes.ts';
export { checkTexts, passGate } from './checks.ts';
export { type Candidate, cleanUp, isPublished, publish, readCandidate, readOffered } from './publish.ts';
export { openSigner, resolveSigning, type SigningOptions, signCandidate } from './signing.ts';
export { SiteClient } from './site-client.ts';
export { describePublished, describePushed, type WatchResult, watchSite } from './watch-site.ts';
