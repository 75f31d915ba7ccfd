import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { styleAddress } from './addresses.ts';
import { type Content, type Html, html } from './html.ts';

export const style = readFileSync(path.join(import.meta.dirname, 'releases-page.css'), 'utf8');

/** With each other style sheet the address is another, so a browser may keep it for good. */
const hashedStyleAddress = `${styleAddress}?v=${createHash('sha256').update(style).digest('hex').slice(0, 8)}`;

/** What an operator is told on top of a page: what was done, or why nothing was. */
export interface Message {
  readonly kind: 'done' | 'error';
  readonly sentences: readonly string[];
}

/**
 * The message takes the focus, so that it is read out first: without a script nothing else would say that the page
 * that looks the same as before has one.
 */
function messageElement({ kind, sentences }: Message): Html {
  const role = kind === 'error' ? 'alert' : 'status';
  return html`<div class="message ${kind}" role="${role}" tabindex="-1" autofocus>
${sentences.map((sentence) => html`<p>${sentence}</p>`)}
</div>`;
}

const titleStarts = { done: 'Done: ', error: 'Not done: ' } as const;

export interface Page {
  readonly title: string;
  readonly message?: Message | undefined;
  /** Stands right of the heading. */
  readonly tools?: Content;
  readonly content: Content;
  readonly csrfToken: string;
}

/** A whole page of the operator's. Puts the CSRF token into every form here, so that none can lack it. */
export function renderPage({ title, message, tools, content, csrfToken }: Page): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${message && titleStarts[message.kind]}${title} | Daybook</title>
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${hashedStyleAddress}">
</head>
<body>
<header class="top">
<h1>${title}</h1>
${tools}
</header>
<main>
${message && messageElement(message)}
${content}
</main>
</body>
</html>
`;
  return page.text.replaceAll('</form>', html`<input type="hidden" name="_csrf" value="${csrfToken}"></form>`.text);
}
