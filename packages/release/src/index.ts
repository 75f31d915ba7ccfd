import { FolderOrigin } from './folder-origin.ts';
import { HttpOrigin } from './http-origin.ts';
import type { ReleaseOrigin } from './origin.ts';

export { checkFragment, FragmentError, fragmentLimits } from './fragment.ts';
export {
  checkCollisions,
  foldersOf,
  integrityOf,
  type RejectionReason,
  ReleaseRejection,
  readRelease,
  releaseLimits,
} from './gate.ts';
export { describeIssues } from './issues.ts';
export { createKeyFile, readKeyFile } from './key-file.ts';
export {
  buildErrorsFileName,
  type FailureReason,
  type FileSource,
  OriginFailure,
  type ReleaseOrigin,
  signedFileName,
} from './origin.ts';
export {
  publicKeySchema,
  type ReleaseSignature,
  type ReleaseSigner,
  readSigned,
  signatureRenewal,
  signatureValidity,
  signRelease,
  verifyRelease,
} from './signature.ts';
export { templateProblem, templateTexts } from './template-texts.ts';

/** @param address `file:<folder>`, or an http(s) address */
export function openOrigin(address: string): ReleaseOrigin {
  return address.startsWith('file:') ? new FolderOrigin(address.slice('file:'.length)) : new HttpOrigin(address);
}
