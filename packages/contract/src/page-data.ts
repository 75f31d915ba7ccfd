import type { Registry } from './release/registry.ts';
import type { SiteSettings } from './site-settings.ts';

/** Id of the JSON script element in which the shell server hands `PageData` to the browser: no request is spent on finding out what to load. */
export const pageDataElementId = 'page-data';

export interface PageData {
  readonly registry: Registry;
  readonly settings: SiteSettings;
}
