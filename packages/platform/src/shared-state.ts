import { defaultSiteSettings, type SiteSettings } from '@daybook/contract';
import { atom, getDefaultStore, useAtomValue } from 'jotai';

// What the shell and the pages of all remotes share, in jotai's one store: they all take this module from the shell.
// State that a further page shares with another gets its atom here.
const store = getDefaultStore();

const siteSettingsAtom = atom<SiteSettings>(defaultSiteSettings);

/** Called once by the shell with the settings that the server put into the page. */
export function provideSiteSettings(settings: SiteSettings): void {
  store.set(siteSettingsAtom, settings);
}

/** Support address, sponsor addresses and the like, as the operator of this site set them. */
export function useSiteSettings(): SiteSettings {
  return useAtomValue(siteSettingsAtom);
}

/** Constants of docs/product.md (Constants); times in ms, distances in CSS pixels. */
export const toastLimits = {
  shownAtOnce: 1,
  duration: 5000,
  removeDelay: 1_000_000,
  swipeThreshold: 50,
} as const;

export interface ToastContent {
  readonly title: string;
  readonly description?: string;
  /** `destructive` for what went wrong. */
  readonly variant?: 'default' | 'destructive';
}

export interface Toast extends ToastContent {
  readonly id: number;
  readonly open: boolean;
}

/** The toasts that exist, newest first: at most one. A dismissed toast stays, closed, until it is removed. */
export const toastsAtom = atom<readonly Toast[]>([]);

let lastId = 0;

/** Shows a toast in place of the one shown before it; gives the id to dismiss it with. */
export function showToast(content: ToastContent): number {
  lastId += 1;
  const toast: Toast = { ...content, id: lastId, open: true };
  store.set(toastsAtom, (toasts) => [toast, ...toasts].slice(0, toastLimits.shownAtOnce));
  return toast.id;
}

/** Closes a toast; it is removed from the state `toastLimits.removeDelay` later. */
export function dismissToast(id: number): void {
  store.set(toastsAtom, (toasts) => toasts.map((toast) => (toast.id === id ? { ...toast, open: false } : toast)));
  const remove = () => store.set(toastsAtom, (toasts) => toasts.filter((toast) => toast.id !== id));
  setTimeout(remove, toastLimits.removeDelay);
}
