export { changedPages, checkDates, type DateOptions } from './changes.ts';
export { checkTexts, passGate } from './checks.ts';
export { type Candidate, cleanUp, isPublished, publish, readCandidate, readOffered } from './publish.ts';
export { openSigner, resolveSigning, type SigningOptions, signCandidate } from './signing.ts';
export { describePublished, type WatchResult, watchSite } from './watch-site.ts';
