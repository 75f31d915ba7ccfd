import { fragmentReplacements, missingRemotesPlaceholder, type SiteSettings } from '@daybook/contract';
import { escapeHtml } from '../escape-html.ts';

/** Puts the operator's settings into HTML that was made with those that stand for them. */
export function fillInSettings(html: string, settings: SiteSettings): string {
  return fragmentReplacements(settings).reduce(
    (filled, [placeholder, text]) => filled.replaceAll(placeholder, () => escapeHtml(text)),
    html,
  );
}

/** Puts the names of the missing remotes into the page that tells of them. */
export function fillInMissing(html: string, missing: readonly string[]): string {
  const code = (name: string) => `<code>${name}</code>`;
  return html
    .replaceAll(code(missingRemotesPlaceholder), missing.map(code).join(', '))
    .replaceAll(missingRemotesPlaceholder, missing.join(' '));
}
