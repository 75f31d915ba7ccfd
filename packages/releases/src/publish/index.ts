export { type Candidate, readCandidate } from './candidate.ts';
export { changedPages, checkDates } from './changes.ts';
export { checkTexts, passGate } from './checks.ts';
export { describePublished } from './describe.ts';
export { cleanUp, isPublished, publish, readOffered } from './publish.ts';
export { openSigner, resolveSigning, type SigningOptions, signCandidate } from './signing.ts';
export { type WatchResult, watchSite } from './watch-site.ts';
