export { signatureFileName } from './manifest/file-names.ts';
export { checkFragment } from './manifest/fragment.ts';
export { releaseLimits } from './manifest/limits.ts';
export { integrityOf, readManifest } from './manifest/manifest.ts';
export { issueTexts, ReleaseRejection, rejectionReasons } from './manifest/rejection.ts';
export { withoutVersion } from './manifest/without-version.ts';
export { hashOfToken, newPreviewToken } from './signature/preview-token.ts';
export { publicKeySchema, type ReleaseSigner, signRelease, verifyRelease } from './signature/signature.ts';
export { parseTeamKeys, TeamKeys } from './signature/team-keys.ts';

/** File beside a watching build with the errors of its last compilation as text; only while it has any. */
export const buildErrorsFileName = 'errors.txt';
