import { readFileSync } from 'node:fs';
import { previewUrl, type State, type StoredRelease } from '@daybook/contract/release';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Counts } from '../counts.ts';
import { type Content, Html, html } from '../html.ts';
import { describeRemote } from '../publish/api.ts';
import type { Callers } from '../publish/caller.ts';
import { ReleasesError } from '../publish/errors.ts';
import { visitorsSentence } from '../publish/sentences.ts';
import type { LiveSite } from '../releases/live-site.ts';
import type { Site } from '../releases/site.ts';
import { hashSource } from '../security-headers.ts';

const pageUrl = '/_releases';
const style = readFileSync(new URL('page.css', import.meta.url), 'utf8');

/** The mark of the site's logo (packages/ui/src/frame.tsx). In the page: from its opaque origin it may load nothing. */
const mark = (ink: string, day: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 6 64 76" width="27" height="32" aria-hidden="true"><path fill="${ink}" d="M0 6h6v76H0zM13 6h6v76h-6z"/><path fill="${day}" d="M26 6a38 38 0 0 1 0 76z"/></svg>`;
const icon = `data:image/svg+xml,${encodeURIComponent(mark('#0a6546', '#5f9f84'))}`;

/** Gives the page an opaque origin, so that no script that opens it in a window can read it. */
const policy = `sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src ${hashSource(style)}; img-src data:; base-uri 'none'; frame-ancestors 'none'`;

const maxRows = 50;

/** Serves `/_releases`, read-only, for an operator's token as the password of HTTP Basic. */
export function registerOperatorsPage(server: FastifyInstance, live: LiveSite, callers: Callers, counts: Counts): void {
  server.register(async (app) => {
    app.setErrorHandler(sendFailure);
    app.get(pageUrl, async (request, reply) => {
      reply.headers({ 'Cache-Control': 'no-store, no-transform', 'X-Robots-Tag': 'noindex' });
      // The browser adds the password to the requests of a page's script, too.
      if ((request.headers['sec-fetch-mode'] ?? 'navigate') !== 'navigate')
        throw new ReleasesError(403, 'This page is for people: open it in a window.');
      const { remotes } = await callers.identify(request, passwordOf(request));
      if (remotes !== '*')
        throw new ReleasesError(403, 'This page is for operators; teams use: releases show <remote>');
      await live.read().catch(() => undefined);
      reply.header('Content-Security-Policy', policy).type('text/html; charset=utf-8');
      return reply.send(renderPage(live, counts));
    });
  });
}

function passwordOf({ headers: { authorization = '' } }: FastifyRequest): string {
  const [, credentials = ''] = /^Basic (\S+)$/i.exec(authorization) ?? [];
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(credentials, 'base64').toString()) ?? [];
  return password;
}

function sendFailure(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(error instanceof ReleasesError)) throw error;
  if (error.statusCode === 401)
    reply.header('WWW-Authenticate', 'Basic realm="Releases: any name, a token as password", charset="UTF-8"');
  if (error.retryAfter !== undefined) reply.header('Retry-After', error.retryAfter);
  return reply.code(error.statusCode).type('text/plain; charset=utf-8').send(`${error.message}\n`);
}

/** A table without empty columns. Roles, because CSS shows it as a list on small screens. */
function table(label: string, columns: readonly string[], rows: readonly (readonly Content[])[]): Html {
  const shown = columns.flatMap((column, index) => (rows.some((cells) => cells[index]) ? [{ column, index }] : []));
  return html`<table role="table" aria-labelledby="${label}">
<thead role="rowgroup"><tr role="row">${shown.map(({ column }) => html`<th role="columnheader" scope="col" data-column="${column}">${column}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map((cells) => html`<tr role="row">${shown.map(({ column, index }) => html`<td role="cell" data-label="${column}">${cells[index] || '–'}</td>`)}</tr>`)}</tbody>
</table>`;
}

const time = (iso: string) => html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')}</time>`;
const command = (words: string) => html`<code class="command">npm run releases -- ${words}</code>`;
const previewLink = (remote: string, version: string) =>
  html`<a href="${previewUrl(remote, version)}" target="_blank">open</a>`;

const tags: Readonly<Record<StoredRelease['status'], string>> = {
  active: 'good',
  canary: 'good',
  previous: '',
  'rolled back': 'bad',
  stored: '',
};

const releaseColumns = ['Release', 'Stored (UTC)', 'Commit', 'Views', 'Failures', 'Preview'];

function releaseRow(remote: string, release: StoredRelease): readonly Content[] {
  const { version, status, storedAt, commit, author, views, failures } = release;
  const share = views > 0 && failures > 0 ? ` (${((100 * failures) / views).toFixed(1)} %)` : '';
  return [
    html`<code>${version}</code> <span class="tag ${tags[status]}">${status}</span>`,
    time(storedAt),
    commit && html`<code title="${commit}">${commit.slice(0, 8)}</code> ${author}`,
    String(views),
    html`<span class="${failures > 0 && 'bad'}">${failures}${share}</span>`,
    status !== 'rolled back' && previewLink(remote, version),
  ];
}

function remoteSection(name: string, { latest, site }: LiveSite, counts: Counts): Html {
  const { state, previous, releases } = describeRemote(name, latest, counts);
  const served = site.remote(name)?.state;
  const commands = [
    ...(previous ? [`rollback ${name} --why "…"`] : []),
    ...(state?.canary ? [`end ${name}`, `activate ${name}@${state.canary}`] : []),
    state?.heldBy ? `lift ${name}` : `hold ${name} --why "…"`,
  ];
  return html`<section aria-labelledby="${name}">
<h2 id="${name}">${name}</h2>
<p>${state?.heldBy && html`<span class="tag bad">Held by ${state.heldBy}</span> `}${state ? visitorsSentence(state) : `${name} has no release yet; its pages respond with 503.`}</p>
${served?.number !== state?.number && html`<p class="bad">This server still fetches files, and serves ${served ? visitorsSentence(served) : 'nothing of it'}</p>`}
${
  releases.length > 0 &&
  table(
    name,
    releaseColumns,
    releases.slice(0, 8).map((each) => releaseRow(name, each)),
  )
}
<ul class="commands">${commands.map((each) => html`<li>${command(each)}</li>`)}</ul>
</section>
`;
}

const logColumns = ['When (UTC)', 'Remote', 'Action', 'Visitors get', 'By', 'Why', 'Preview'];

function logRow({ at, remote, action, active, canary, percent, by, why }: State, site: Site): readonly Content[] {
  const gets = [active, canary && `${percent} % ${canary}`].filter(Boolean).join(', ');
  const shown = canary ?? active;
  return [
    time(at),
    remote,
    action,
    html`<code>${gets}</code>`,
    by,
    why,
    shown && site.preview(remote, shown) && previewLink(remote, shown),
  ];
}

function renderPage(live: LiveSite, counts: Counts): string {
  const { latest, problem } = live;
  const rows = latest.content.rows.toSorted(
    (one, other) => other.at.localeCompare(one.at) || other.number - one.number,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Releases of Daybook</title>
<meta name="robots" content="noindex">
<link rel="icon" href="${icon}">
<style>${new Html(style)}</style>
</head>
<body>
<header><p class="logo">${new Html(mark('currentcolor', 'var(--accent)'))} Daybook</p><h1>Releases</h1>
<p>Views and failures on this server since ${time(counts.since)} UTC. <a href="${pageUrl}">Reload</a></p></header>
<main>
${problem && html`<p class="bad">${problem.message} Pages are served as before, since ${time(problem.since)}; no change is possible.</p>`}
${latest.remotes.map(({ name }) => remoteSection(name, live, counts))}
<section aria-labelledby="log">
<h2 id="log">Log</h2>
${table(
  'log',
  logColumns,
  rows.slice(0, maxRows).map((each) => logRow(each, latest)),
)}
<ul class="commands"><li>${command('log')}</li></ul>
</section>
</main>
</body>
</html>
`.text;
}
