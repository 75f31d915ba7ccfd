export { checkFragment, FragmentError, fragmentLimits } from './gate/fragment.ts';
export {
  checkCollisions,
  foldersOf,
  integrityOf,
  type RejectionReason,
  ReleaseRejection,
  readRelease,
  releaseLimits,
} from './gate/gate.ts';
export { describeIssues } from './gate/issues.ts';
export { templateProblem, templateTexts } from './gate/template-texts.ts';
export { openOrigin } from './origins/open-origin.ts';
export {
  buildErrorsFileName,
  type FailureReason,
  type FileSource,
  OriginFailure,
  previewFileName,
  type ReleaseOrigin,
  signedFileName,
} from './origins/origin.ts';
export { hashOfToken, newPreviewToken, previewTokenPattern } from './serving/preview-token.ts';
export { createKeyFile, readKeyFile } from './signature/key-file.ts';
export {
  previewLifetime,
  publicKeySchema,
  type ReleaseSignature,
  type ReleaseSigner,
  readSigned,
  signatureRenewal,
  signatureValidity,
  signPreview,
  signRelease,
  verifyPreview,
  verifyRelease,
} from './signature/signature.ts';
