import { fragmentReplacements, missingRemotesPlaceholder, type SiteSettings } from '@daybook/contract';
import { escapeHtml } from '../escape-html.ts';

/** Replaces the placeholders of the settings in HTML with the operator's settings, as text. */
export function fillInSettings(html: string, settings: SiteSettings): string {
  const replacements = new Map(fragmentReplacements(settings));
  // In one pass: a setting may contain the placeholder of another one.
  const placeholder = new RegExp([...replacements.keys()].join('|').replaceAll('.', '\\.'), 'g');
  return html.replaceAll(placeholder, (found) => escapeHtml(replacements.get(found) ?? found));
}

/** Puts the names of the missing remotes into the page that tells of them. */
export function fillInMissing(html: string, missing: readonly string[]): string {
  const code = (name: string) => `<code>${name}</code>`;
  return html
    .replaceAll(code(missingRemotesPlaceholder), missing.map(code).join(', '))
    .replaceAll(missingRemotesPlaceholder, missing.join(' '));
}
