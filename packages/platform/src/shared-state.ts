import { toastHotkey } from '@daybook/contract/page';
import { defaultSiteSettings, type SiteSettings } from '@daybook/contract/site';
import { type Atom, atom, getDefaultStore } from 'jotai/vanilla';
import { useCallback, useSyncExternalStore } from 'react';

// The shell and all remotes share this module, and so this store.
const store = getDefaultStore();

/** Returns an atom's value. jotai's own function supports promises, for 1 kB more on every page. */
export function useAtomValue<Value>(source: Atom<Value>): Value {
  const read = () => store.get(source);
  return useSyncExternalStore(
    useCallback((onChange) => store.sub(source, onChange), [source]),
    read,
    read,
  );
}

const siteSettingsAtom = atom<SiteSettings>(defaultSiteSettings);

/** Called once by the shell with the settings that the server wrote into the page. */
export function provideSiteSettings(settings: SiteSettings): void {
  store.set(siteSettingsAtom, settings);
}

/** Returns the operator's settings of this site. */
export function useSiteSettings(): SiteSettings {
  return useAtomValue(siteSettingsAtom);
}

/** Constants of docs/product.md (Constants); times in ms, distances in CSS pixels. */
export const toastLimits = {
  shownAtOnce: 1,
  duration: 5000,
  removeDelay: 1_000_000,
  swipeThreshold: 50,
  hotkey: toastHotkey,
} as const;

export interface ToastContent {
  readonly title: string;
  readonly description?: string;
  readonly variant?: 'default' | 'destructive';
}

export interface Toast extends ToastContent {
  readonly id: number;
  readonly open: boolean;
}

/** At most one toast. A dismissed one remains, closed, until it is removed. */
export const toastsAtom = atom<readonly Toast[]>([]);

export const toastsExpectedAtom = atom(false);

/** Has the shell load the code of toasts while the browser is idle; without it, the first toast waits for that. */
export const expectToasts = () => store.set(toastsExpectedAtom, true);

let lastId = 0;

/** Shows a toast in place of the previous one; returns the id that dismisses it. */
export function showToast(content: ToastContent): number {
  lastId += 1;
  const toast: Toast = { ...content, id: lastId, open: true };
  store.set(toastsAtom, (toasts) => [toast, ...toasts].slice(0, toastLimits.shownAtOnce));
  return toast.id;
}

/** Closes a toast; it is removed from the state after `toastLimits.removeDelay`. */
export function dismissToast(id: number): void {
  store.set(toastsAtom, (toasts) => toasts.map((toast) => (toast.id === id ? { ...toast, open: false } : toast)));
  const remove = () => store.set(toastsAtom, (toasts) => toasts.filter((toast) => toast.id !== id));
  setTimeout(remove, toastLimits.removeDelay);
}
