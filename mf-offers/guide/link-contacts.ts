import type { RichText, Span } from './guide-text.ts';

/** Toll-free numbers, and addresses of the kind that public bodies have. */
const contact = /\b(?:1-\d{3}-\d{3}-\d{4}|(?:[a-z]+\.)+(?:gov|org)(?:\/[a-z-]+)?)\b/;

/** Makes the telephone numbers and web addresses in a text links, so that an editor writes them plainly. */
export function linkContacts(span: Span): RichText {
  const found = span.link === undefined ? contact.exec(span.text) : null;
  if (!found) return span.text === '' ? [] : [span];
  const [text] = found;
  const rest = span.text.slice(found.index + text.length);
  const before = span.text.slice(0, found.index);
  return [
    ...(before === '' ? [] : [{ ...span, text: before }]),
    { ...span, text, link: addressOf(text) },
    ...linkContacts({ ...span, text: rest }),
  ];
}

const addressOf = (text: string) => (text.startsWith('1-') ? `tel:+${text.replaceAll('-', '')}` : `https://${text}`);
