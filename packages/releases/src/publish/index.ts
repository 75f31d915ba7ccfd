export { checkManifest, checkTexts, templateTexts } from './checks.ts';
export { type ReleaseBuild, readReleaseBuild } from './release-build.ts';
export { openSigner, resolveSigning, type SigningOptions, signBuild } from './signing.ts';
export { SiteClient, SiteError } from './site-client.ts';
