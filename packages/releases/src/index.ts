export { checkFragment } from './gate/fragment.ts';
export { checkCollisions, integrityOf, ReleaseRejection, readRelease, releaseLimits } from './gate/gate.ts';
export { describeIssues } from './gate/issues.ts';
export { templateTexts } from './gate/template-texts.ts';
export { openOrigin } from './origins/open-origin.ts';
export { buildErrorsFileName, OriginFailure, previewFileName, type ReleaseOrigin } from './origins/origin.ts';
export { hashOfToken, newPreviewToken } from './serving/preview-token.ts';
export {
  publicKeySchema,
  type ReleaseSigner,
  signatureValidity,
  signPreview,
  signRelease,
  verifyRelease,
} from './signature/signature.ts';
