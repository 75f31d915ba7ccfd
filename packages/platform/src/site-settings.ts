import { defaultSiteSettings, type SiteSettings } from '@daybook/contract';
import { atom, getDefaultStore, useAtomValue } from 'jotai';

const siteSettingsAtom = atom<SiteSettings>(defaultSiteSettings);

/** Called once by the shell with the settings that the server put into the page. */
export function provideSiteSettings(settings: SiteSettings): void {
  getDefaultStore().set(siteSettingsAtom, settings);
}

/** Support address, sponsor addresses and the like, as the operator of this site set them. */
export function useSiteSettings(): SiteSettings {
  return useAtomValue(siteSettingsAtom);
}
