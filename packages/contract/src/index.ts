export { apiCalls } from './api/api-calls.ts';
export { type ApiCall, apiBodyLimit, pathOf } from './api/call.ts';
export { type ErrorBody, errorBodySchema } from './api/error-body.ts';
export {
  makePrivacyRequest,
  type PrivacyRequest,
  type PrivacyRequestAnswer,
  type PrivacyRequestKind,
  privacyRequestAnswerSchema,
  privacyRequestKinds,
  privacyRequestSchema,
  referenceNumberSchema,
} from './api/privacy-request.ts';
export { privacyRequestLimits, tooLongMessages } from './api/privacy-request-limits.ts';
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
export { type EarlyEvents, earlyEventsName, type TakeEarlyEvents } from './early-events.ts';
export {
  emailAddressMaxLength,
  emailAddressSchema,
  invalidEmailAddressMessage,
  privacyAddressSchema,
} from './email-address.ts';
export { isOneMailbox, normalizeEmailAddress } from './email-normalization.ts';
export { type Event, type EventData, type EventType, eventKinds, eventOf, eventSchema } from './events/events.ts';
export { type OfferId, offerIdSchema, offerIds } from './offer-ids.ts';
export { type PageData, pageDataElementId } from './page-data.ts';
export { pageTitle } from './page-title.ts';
export {
  type PrivacyRightsRequestType,
  privacyRightsRequestTypeSchema,
  privacyRightsRequestTypes,
  type SensitiveCategory,
  sensitiveCategories,
  sensitiveCategorySchema,
} from './privacy-choices.ts';
export { fragmentReplacements, fragmentSettings } from './release/fragment-settings.ts';
export { type Frame, frameSchema } from './release/frame.ts';
export { type IntegrityLookup, integrityLookupName, refusedIntegrity } from './release/integrity-lookup.ts';
export {
  type FailureKind,
  type PageReport,
  pageReportSchema,
} from './release/page-report.ts';
export { pageReportAddress, reportNonceName } from './release/page-report-address.ts';
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
  filePathSchema,
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
  missingRemotesPlaceholder,
  missingRemotesRetryAfter,
  type PrerenderedFrame,
  type ShellManifest,
  shellManifestFileName,
  shellManifestSchema,
} from './release/shell-manifest.ts';
export { defaultSiteSettings, site } from './site.ts';
export { type SiteSettings, siteSettingsSchema } from './site-settings.ts';
