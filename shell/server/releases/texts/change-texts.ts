import type { ReleaseChange } from '../log/release-change.ts';

/** What a change did, in a sentence; the same on the command line and on the operator's page. */
export function sentenceOf({ remote, action, from, to, percent }: ReleaseChange): string {
  switch (action) {
    case 'rollback':
      return `${remote}: ${from} is taken back; visitors get ${to}.`;
    case 'pin':
      return `${remote}: pinned to ${to}${from === to || from === null ? '' : ` instead of ${from}`}.`;
    case 'unpin':
      return `${remote}: no longer pinned to ${to}.`;
    case 'canary':
      return `${remote}: ${percent} % of visitors get ${to}, all others ${from ?? 'nothing'}.`;
    case 'activate':
      return `${remote}: all visitors get ${to} instead of ${from ?? 'nothing'}.`;
  }
}
