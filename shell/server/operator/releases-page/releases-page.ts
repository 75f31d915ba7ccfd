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
import { type Content, Html, html } from '../../html.ts';
import type { CountedInterval } from '../../registry/site-registry.ts';
import { countsSince, type PeriodCounts } from '../../stats/release-stats.ts';
import { releasesPageUrl } from '../releases-urls.ts';

const require = createRequire(import.meta.url);

/** Pico's classless styles, and the few that are this page's own. */
export const style = [
  require.resolve('@picocss/pico/css/pico.classless.min.css'),
  new URL('releases-page.css', import.meta.url),
]
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n');

function renderPage(tools: Content, content: Content): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Releases | Daybook</title>
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${new Html(style)}</style>
</head>
<body>
<header class="row"><h1>Releases</h1>${tools}</header>
<main>
${content}
</main>
</body>
</html>
`.text;
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

const releaseColumns = ['Release', 'Stored', 'Files', 'Visitors', 'Views', 'Failures', 'Pages'];

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

/** Renders a remote: its state, its problems, and its stored releases. */
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

export interface ReleasesPage {
  readonly snapshot: Snapshot;
  /** Why the registry can't be used. */
  readonly problem: LiveSnapshot['problem'];
  /** Views and failures of all releases. */
  readonly counts: readonly CountedInterval[];
}

/** Renders the releases of all remotes with their health and the log. */
export function renderReleasesPage(page: ReleasesPage): string {
  const { snapshot } = page;
  const registry = registryText(page.problem);
  const deployments = snapshot.deployments();
  const iso = new Date().toISOString();
  const tools = html`<p>As of <time datetime="${iso}">${iso.slice(11, 19)} UTC</time>. <a href="${releasesPageUrl}">Refresh</a></p>`;
  return renderPage(
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
