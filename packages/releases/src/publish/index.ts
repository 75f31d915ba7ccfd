export { type Candidate, readCandidate } from './candidate.ts';
export { checkManifest, checkTexts } from './checks.ts';
export { openSigner, resolveSigning, type SigningOptions, signCandidate } from './signing.ts';
export { SiteClient, SiteError } from './site-client.ts';
