import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import {
  actionText,
  ageOf,
  type Deployment,
  damageTexts,
  type LiveSnapshot,
  momentOf,
  overviewOf,
  previewText,
  type ReleaseStatus,
  type RemoteOverview,
  registryText,
  type Snapshot,
  type StoredOverview,
  sizeOf,
} from '@daybook/releases/server';
import { type Content, type Html, html } from '../../html.ts';
import type { CountedInterval } from '../../registry/site-registry.ts';
import { countsSince, type PeriodCounts } from '../../stats/release-stats.ts';
import type { NameField } from '../operator-access.ts';
import { releasesPageUrl, signInUrl, signOutUrl, styleUrl } from '../releases-urls.ts';
import { deploymentForms, holdForm } from './deployment-forms.ts';

const require = createRequire(import.meta.url);

/** Pico's classless styles, and the few that are this page's own. */
export const style = [
  require.resolve('@picocss/pico/css/pico.classless.min.css'),
  new URL('releases-page.css', import.meta.url),
]
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

const styleHash = hash('sha256', style).slice(0, 8);

/** A message at the top of a page: the deployment that was made, or the error. */
export interface Message {
  readonly kind: 'done' | 'error';
  readonly sentences: readonly string[];
}

interface Page {
  readonly message?: Message | undefined;
  readonly csrfToken: string;
}

/** Takes the focus, so that screen readers read it first: a live region would need a script. */
const messageElement = ({ kind, sentences }: Message) =>
  html`<div class="${kind === 'error' ? 'bad' : 'good'}" role="${kind === 'error' ? 'alert' : 'status'}" tabindex="-1" autofocus>${sentences.map((sentence) => html`<p>${sentence}</p>`)}</div>`;

const titleStarts = { done: 'Done: ', error: 'Not done: ' } as const;

/** Renders a whole page. Adds the CSRF token to every form here, so that no form can lack it. */
function renderPage({ message, csrfToken }: Page, tools: Content, content: Content): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${message && titleStarts[message.kind]}Releases | Daybook</title>
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${styleUrl}?v=${styleHash}">
</head>
<body>
<header class="row"><h1>Releases</h1>${tools}</header>
<main>
${message && messageElement(message)}
${content}
</main>
</body>
</html>
`;
  return page.text.replaceAll('</form>', html`<input type="hidden" name="_csrf" value="${csrfToken}"></form>`.text);
}

interface SignInPage extends Page {
  readonly nameField: NameField;
  /** The name typed before. */
  readonly name?: string | undefined;
}

export function renderSignInPage({ nameField, name, ...page }: SignInPage): string {
  const nameInput = html`<label for="name">Your name, for the log</label>
<input id="name" name="name" type="text" autocomplete="name" maxlength="60"${nameField === 'required' && html` required`} value="${name ?? ''}">
${nameField === 'optional' && html`<small>Not needed with a token of your own.</small>`}`;
  return renderPage(
    page,
    undefined,
    html`<form class="sign-in" method="post" action="${signInUrl}">
<p>Sign in to see and change what visitors get.</p>
<label for="token">Operator token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required>
<small>Yours, if you have one; else the site’s: OPERATOR_TOKEN of the shell server, in compose the file operator-token.</small>
${nameField !== 'none' && nameInput}
<button type="submit">Sign in</button>
</form>`,
  );
}

/** Renders the age of a moment, in ms since the epoch, with the exact time as its tooltip. */
function ageElement(moment: number): Html {
  const date = new Date(moment);
  return html`<time datetime="${date.toISOString()}" title="${momentOf(date)} UTC">${ageOf(moment)}</time>`;
}

/** Explicit roles: the CSS lays the table out as a list on small screens, which removes the implicit ones. */
const table = (label: string, columns: readonly string[], rows: Content) =>
  html`<table role="table" aria-labelledby="${label}">
<thead role="rowgroup"><tr role="row">${columns.map((column) => html`<th role="columnheader" scope="col">${column}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows}</tbody>
</table>`;

const cell = (column: string | undefined, content: Content, className = '') =>
  html`<td role="cell" class="${className}" data-label="${column}">${content}</td>`;

const statusTags: Readonly<Record<ReleaseStatus, Html>> = {
  active: html`<span class="tag good">Active</span>`,
  canary: html`<span class="tag good">Canary</span>`,
  preview: html`<span class="tag">Preview</span>`,
  previous: html`<span class="tag">Previous</span>`,
  'rolled back': html`<span class="tag bad">Rolled back</span>`,
  stored: html`<span class="tag">Stored</span>`,
};

/** Returns the share of visitors that get a release, in percent. */
function shareOf({ canary, served, stored }: RemoteOverview, { version, status }: StoredOverview): number {
  const canaryShare = stored.some((each) => each.status === 'canary') ? (canary?.percent ?? 0) : 0;
  if (version === served) return 100 - canaryShare;
  return status === 'canary' ? canaryShare : 0;
}

const releaseColumns = ['Release', 'Stored', 'Files', 'Visitors', 'Views', 'Failures', 'Pages', 'Action'];

/** In ms: the views and failures of this time are shown while no canary runs. */
const recently = 3 * 60 * 60_000;

/** Returns the share of page views with a failure. */
const failureShare = ({ views, failures }: PeriodCounts): string =>
  views === 0 ? '–' : `${((failures / views) * 100).toFixed(1)}\u00a0%`;

function releaseRow(remote: RemoteOverview, release: StoredOverview, { views, failures }: PeriodCounts): Html {
  const { version, status, commit, author, designSystem, routes } = release;
  const rate = failures > 0 && views > 0 ? `\u00a0(${failureShare({ views, failures })})` : '';
  const [, stored, files, visitors, viewed, failed, pages] = releaseColumns;
  return html`<tr role="row">
<th role="rowheader" scope="row"><code>${version}</code> ${statusTags[status]}${commit && html` <small>commit <code title="${commit}">${commit.slice(0, 8)}</code></small>`}${author && html` <small>by ${author}</small>`}${designSystem ? html` <small>design system <code>${designSystem}</code></small>` : ''}</th>
${cell(stored, ageElement(release.storedAt))}
${cell(files, `${release.files} / ${sizeOf(release.size)}`)}
${cell(visitors, `${shareOf(remote, release)}\u00a0%`)}
${cell(viewed, views)}
${cell(failed, `${failures}${rate}`, failures > 0 ? 'bad' : '')}
${cell(
  pages,
  routes.map((path) => html`<a href="${path}">${path}</a> `),
)}
<td role="cell" class="wide"><div class="row">${deploymentForms(remote, release)}</div></td>
</tr>
`;
}

function stateSentence({ active, served, activeSince, canary }: RemoteOverview): Content {
  if (active === undefined) return 'It has no active release yet; its pages respond with 503 until it has one.';
  const visitors = canary ? 'Visitors without the canary' : 'Visitors';
  if (served !== active)
    return html`${visitors} get ${served === undefined ? 'nothing' : html`<code>${served}</code>`}; <code>${active}</code> is active.`;
  const since = activeSince !== undefined && html`, activated ${ageElement(Date.parse(activeSince))}`;
  if (!canary) return html`All visitors get <code>${active}</code>${since}.`;
  return html`${canary.percent} % of visitors get <code>${canary.version}</code>, started ${ageElement(Date.parse(canary.since))}; all others <code>${active}</code>${since}.`;
}

const problem = (what: string, text: Content) => html`<p class="problem bad"><strong>${what}</strong> ${text}</p>`;

/** Renders a remote: its state, its problems, and its stored releases with the forms to change them. */
function remoteSection(remote: RemoteOverview, counts: readonly CountedInterval[]): Html {
  const { remote: name, stored, heldBy, canary } = remote;
  const preview = previewText(remote);
  // Of the same time for all releases, so that a canary and the active one can be compared.
  const since = canary ? Date.parse(canary.since) : Date.now() - recently;
  const rows = stored.map((release) =>
    releaseRow(remote, release, countsSince(counts, { remote: name, version: release.version }, since)),
  );
  const counted = `Views and failures ${canary ? 'since the canary started' : 'of the last three hours'}, counted by all shell servers together.`;
  return html`<section aria-labelledby="${name}">
<h2 id="${name}">${name}</h2>
<p>${heldBy && html`<span class="tag bad">Held by ${heldBy}</span> `}${canary && html`<span class="tag good">Canary ${canary.percent} %</span> `}${stateSentence(remote)}</p>
<div class="row">${holdForm(remote)}</div>
${preview !== undefined && html`<p><small>It has a ${preview}.</small></p>`}
${damageTexts(remote).map((text) => problem('damaged', `${text}.`))}
${
  stored.length === 0
    ? html`<p>No release is stored.</p>`
    : html`<p><small>${counted}</small></p>
${table(name, releaseColumns, rows)}`
}
</section>
`;
}

const maxDeployments = 50;

const logColumns = ['When', 'Remote', 'Action', 'Release', 'By', 'Why'];

function logRow(deployment: Deployment): Html {
  const { at, remote, version, by, why } = deployment;
  const values = [ageElement(Date.parse(at)), remote, actionText(deployment), version ?? '–', by, why];
  return html`<tr role="row">${values.map((value, index) => cell(logColumns[index], value, logColumns[index] === 'Why' ? 'wide' : ''))}</tr>
`;
}

export interface ReleasesPage extends Page {
  readonly snapshot: Snapshot;
  /** Why the registry can't be used. */
  readonly problem: LiveSnapshot['problem'];
  /** Views and failures of all releases. */
  readonly counts: readonly CountedInterval[];
  readonly operator: string;
}

/** Renders the releases of all remotes with their health, the forms to change them, and the log. */
export function renderReleasesPage(page: ReleasesPage): string {
  const { snapshot, operator } = page;
  const registry = registryText(page.problem);
  const deployments = snapshot.deployments();
  const iso = new Date().toISOString();
  const tools = html`<p>As of <time datetime="${iso}">${iso.slice(11, 19)} UTC</time>. <a href="${releasesPageUrl}">Refresh</a></p>
<form method="post" action="${signOutUrl}"><span>Signed in as ${operator}</span> <button type="submit">Sign out</button></form>`;
  return renderPage(
    page,
    tools,
    html`${registry !== undefined && problem('registry', registry)}
${snapshot.remotes.map((remote) => remoteSection(overviewOf(remote, snapshot), page.counts))}
<section aria-labelledby="log">
<h2 id="log">Log</h2>
<p>${deployments.length > maxDeployments ? `The last ${maxDeployments} of ${deployments.length} deployments.` : 'Every deployment, the latest first.'}</p>
${table('log', logColumns, deployments.slice(-maxDeployments).reverse().map(logRow))}
</section>`,
  );
}
