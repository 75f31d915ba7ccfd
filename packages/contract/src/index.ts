// Everything exported here crosses a boundary between shell, remotes, backend and build.
export * from './api/call.ts';
export * from './api/email-normalization.ts';
export * from './api/fields.ts';
export * from './api/privacy-choices.ts';
export * from './api/privacy-request.ts';
export * from './api/waitlist.ts';
export * from './events/events.ts';
export * from './release/fragment-settings.ts';
export * from './release/page.ts';
export * from './release/page-report.ts';
export * from './release/registry.ts';
export * from './release/release.ts';
export * from './release/shell-manifest.ts';
export * from './site.ts';
export * from './site-settings.ts';
