export { type CachedRelease, identityOf, ReleaseCache } from './cache/release-cache.ts';
export { ShellBuilds } from './cache/shell-builds.ts';
export { createReleasesProgram, openReleases } from './command/releases-command.ts';
export { type PublishingServer, publishRelease } from './management/publish-release.ts';
export {
  DeploymentError,
  logWordsSchema,
  type Offer,
  parsePercent,
  ReleaseManagement,
} from './management/release-management.ts';
export {
  actionText,
  damageTexts,
  describeDone,
  describePublication,
  overviewOf,
  previewText,
  type ReleaseStanding,
  type RemoteOverview,
  registryText,
  replacedBy,
  type StoredOverview,
  signatureText,
  whyWaiting,
} from './management/release-overview.ts';
export { PostgresRegistry } from './registry/postgres-registry.ts';
export { RegistryCopy } from './registry/registry-copy.ts';
export {
  ConflictError,
  type CountedInterval,
  maxSessions,
  type OperatorRecords,
  RegistryError,
  type ReleaseCounts,
  type SignIn,
  type SiteRegistry,
  uploadLimits,
} from './registry/release-registry.ts';
export { ActiveReleases } from './serving/active-releases.ts';
export {
  folderOfFile,
  inlineRegistry,
  type PreviewedSite,
  register,
  type ServedReleases,
} from './serving/served-releases.ts';
export { isRequestSignature, keyNamedIn, RequestRejection, verifyRequest } from './signature/request-signature.ts';
export type { Audience, Deployment } from './state/remote-state.ts';
export { withoutVersion } from './state/without-version.ts';
