export {
  boundBy,
  DeploymentError,
  deploymentActions,
  logWordsSchema,
  type Offer,
  parsePercent,
} from './deployments/deployment-request.ts';
export { ageOf, momentOf, sizeOf } from './deployments/formats.ts';
export { publishRelease } from './deployments/publish-release.ts';
export { ReleaseManagement } from './deployments/release-management.ts';
export {
  actionText,
  damageTexts,
  deploymentTexts,
  overviewOf,
  previewText,
  publicationTexts,
  type ReleaseStatus,
  type RemoteOverview,
  registryText,
  replacedBy,
  type StoredOverview,
} from './deployments/release-overview.ts';
export { inlineIndex, register } from './manifest/registered-remote.ts';
export { createReleasesProgram } from './publish/releases-command.ts';
export { isoTime, PostgresRegistry } from './registry/postgres-registry.ts';
export { ConflictError, RegistryError, type ReleaseRegistry } from './registry/release-registry.ts';
export type { Audience, Deployment } from './registry/remote-state.ts';
export { RequestRejection, verifyRequest } from './signature/request-signature.ts';
export { isSignature, keyNamedIn } from './signature/signature.ts';
export { LiveSnapshot } from './snapshot/live-snapshot.ts';
export { diskProblem, identityOf } from './snapshot/releases-folder.ts';
export type { LocalRelease, PreviewedSite, SiteReleases } from './snapshot/site-releases.ts';
export { Snapshot } from './snapshot/snapshot.ts';
