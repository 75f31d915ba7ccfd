export { checkFragment } from './gate/fragment.ts';
export {
  checkCollisions,
  integrityOf,
  maxDescription,
  ReleaseRejection,
  readRelease,
  rejectionReasons,
  releaseLimits,
} from './gate/gate.ts';
export { describeIssues } from './gate/issues.ts';
export { openOrigin } from './origins/open-origin.ts';
export { buildErrorsFileName, OriginFailure, previewFileName, type ReleaseOrigin } from './origins/origin.ts';
export {
  hashOfToken,
  newPreviewToken,
  publicKeySchema,
  type ReleaseSigner,
  signPreview,
  signRelease,
  verifySigned,
} from './signature/signature.ts';
export { parseTeamKeys, TeamKeys } from './signature/team-keys.ts';
