export { type Candidate, readCandidate } from './candidate.ts';
export { changedPages, checkDates, type DateOptions } from './changes.ts';
export { checkManifest, checkTexts } from './checks.ts';
export { openSigner, resolveSigning, type SigningOptions, signCandidate } from './signing.ts';
export { SiteClient, SiteError } from './site-client.ts';
