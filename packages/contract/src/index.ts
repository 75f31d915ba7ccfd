export { type ApiCall, apiBodyLimit, type ErrorBody, errorBodySchema, pathOf } from './api/call.ts';
export { isOneMailbox, normalizeEmailAddress } from './api/email-normalization.ts';
export {
  emailAddressMaxLength,
  emailAddressSchema,
  invalidEmailAddressMessage,
  privacyAddressSchema,
} from './api/fields.ts';
export {
  type PrivacyRequestKind,
  type PrivacyRightsRequestType,
  privacyRequestKinds,
  privacyRequestLimits,
  privacyRightsRequestTypes,
  type SensitiveCategory,
  sensitiveCategories,
  tooLongMessages,
} from './api/privacy-choices.ts';
export {
  apiCalls,
  makePrivacyRequest,
  type PrivacyRequest,
  type PrivacyRequestAnswer,
  privacyRequestAnswerSchema,
  privacyRequestSchema,
  referenceNumberSchema,
} from './api/privacy-request.ts';
export {
  type Acknowledgement,
  acknowledgementSchema,
  type CompletionNotice,
  completionNoticeSchema,
  type EmergencyNotice,
  emergencyNoticeSchema,
  entryIdIn,
  type Information,
  informationSchema,
  lastStep,
  type OfferSelection,
  offerSelectionSchema,
  type Signup,
  signupSchema,
  stepSchema,
  type WaitlistEntry,
  type WaitlistEntryAnswer,
  waitlistCalls,
  waitlistEntryAnswerSchema,
  waitlistEntryIdLimit,
  waitlistEntryIdSchema,
  waitlistEntrySchema,
} from './api/waitlist.ts';
export { type Event, type EventData, type EventType, eventKinds, eventOf, eventSchema } from './events/events.ts';
export { fragmentReplacements, fragmentSettings } from './release/fragment-settings.ts';
export {
  type EarlyEvents,
  earlyEventsName,
  type IntegrityLookup,
  integrityLookupName,
  missingRemotesPlaceholder,
  missingRemotesRetryAfter,
  type PageData,
  pageDataElementId,
  pageReportAddress,
  refusedIntegrity,
  reportNonceName,
  type TakeEarlyEvents,
} from './release/page.ts';
export { type FailureKind, type PageReport, pageReportSchema } from './release/page-report.ts';
export {
  findRoute,
  isScriptOrStyle,
  type RegisteredRelease,
  type RegisteredRemote,
  type RegisteredRoute,
  type Registry,
  registryAddress,
  releaseFileAddress,
} from './release/registry.ts';
export {
  contractVersion,
  type Frame,
  filePathSchema,
  frameSchema,
  type PageRoute,
  type Release,
  type ReleaseFile,
  type ReleaseRoute,
  releaseFileName,
  releaseFileSchema,
  releaseSchema,
  releaseVersionSchema,
  remoteNameSchema,
} from './release/release.ts';
export {
  type PrerenderedFrame,
  type ShellManifest,
  shellManifestFileName,
  shellManifestSchema,
} from './release/shell-manifest.ts';
export { defaultSiteSettings, type OfferId, offerIds, pageTitle, type SiteSettings, site } from './site.ts';
export { siteSettingsSchema } from './site-settings.ts';
