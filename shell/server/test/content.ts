import type { Release, State } from '@daybook/contract/release';
import type { SiteContent, StoredManifest } from '../releases/site.ts';

/** Returns a row of a remote's log. */
export const rowOf = (number: number, active: string | null, changes: Partial<State> = {}): State => ({
  ...{ remote: 'mf-legal', number, action: 'publish', active, canary: null, percent: null },
  ...{ heldBy: null, heldByOperator: false, by: 'ann', why: '', at: new Date(1_000 * number).toISOString() },
  ...changes,
});

export const storedOf = (release: Release, seconds = 0): StoredManifest => ({
  remote: release.name,
  version: release.version,
  manifest: JSON.stringify(release),
  storedAt: new Date(1_000 * seconds).toISOString(),
});

/** Returns what the database has after these releases were published in this order. */
export function contentOf(...releases: readonly Release[]): SiteContent {
  const numbers = new Map<string, number>();
  const rows = releases.map(({ name, version }, index) => {
    const number = (numbers.get(name) ?? 0) + 1;
    numbers.set(name, number);
    return rowOf(number, version, { remote: name, at: new Date(1_000 * index).toISOString() });
  });
  return { rows, releases: releases.map(storedOf) };
}
