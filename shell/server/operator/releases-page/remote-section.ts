import { type CanaryResult, describeResult } from '../../outcomes/canary-analysis.ts';
import type { ReleaseOutcomes } from '../../outcomes/release-outcomes.ts';
import type { RemoteOverview } from '../../releases/release-overview.ts';
import { damageTexts } from '../../releases/texts/damage-texts.ts';
import { whyWaiting } from '../../releases/texts/waiting-texts.ts';
import { type Content, type Html, html } from './html.ts';
import { ageElement } from './moments.ts';
import { scaleOf } from './outcome-chart.ts';
import { releaseColumns, releaseRow } from './release-row.ts';

const version = (text: string) => html`<span class="version">${text}</span>`;

/** Who gets what, in a sentence. */
function stateSentence(
  { active, served, activeSince, canary }: RemoteOverview,
  result: CanaryResult | undefined,
  now: number,
): Content {
  if (active === undefined) return 'It has no active release yet; its pages answer 503 until it has.';
  if (served !== active)
    return html`${canary ? 'Visitors without the canary' : 'Visitors'} get ${served === undefined ? 'nothing' : version(served)}; ${version(active)} is active.`;
  const since = activeSince !== undefined && html`, activated ${ageElement(Date.parse(activeSince), now)}`;
  if (!canary) return html`All visitors get ${version(active)}${since}.`;
  return html`${canary.percent} % of visitors get ${version(canary.version)}, started ${ageElement(Date.parse(canary.since), now)}; all others ${version(active)}${since}. ${
    canary.auto ? 'The canary ends by itself where it fails too often.' : 'The canary does not end by itself.'
  }${result && ` On this server it ${describeResult(result)}.`}`;
}

function originLine(remote: RemoteOverview): Html {
  const { origin } = remote;
  if (!origin) return html`<p class="origin">Its origin has not been asked yet.</p>`;
  const why = whyWaiting(remote);
  const offer = origin.offered === null ? 'nothing' : version(origin.offered);
  return html`<p class="origin">Origin <span class="address">${origin.address}</span> offers ${offer}.${why !== undefined && ` ${why}`}</p>`;
}

function problemBox(remote: RemoteOverview, now: number): Content {
  const damaged = damageTexts(remote).map((text) => html`<p class="problem"><strong>damaged</strong> ${text}.</p>`);
  const { reason, message, since } = remote.origin?.problem ?? {};
  return [
    damaged,
    since !== undefined &&
      html`<p class="problem"><strong>${reason}</strong> ${ageElement(Date.parse(since), now)}: ${message}</p>`,
  ];
}

function releaseTable(remote: RemoteOverview, outcomes: ReleaseOutcomes, now: number): Html {
  const { remote: name, kept } = remote;
  if (kept.length === 0) return html`<p>No release is kept.</p>`;
  const minutes = kept.map((each) => outcomes.lastMinutes(name, each.version));
  const scale = scaleOf(minutes);
  return html`<table role="table" class="releases" aria-labelledby="${name}">
<thead role="rowgroup"><tr role="row">${releaseColumns.map((column) => html`<th role="columnheader" scope="col">${column}</th>`)}</tr></thead>
<tbody role="rowgroup">
${kept.map((release, index) => releaseRow(remote, release, minutes[index] ?? [], scale, now))}
</tbody>
</table>`;
}

/** A remote: what visitors get of it, what is wrong, its kept releases and what can be done with each. */
export function remoteSection(
  remote: RemoteOverview,
  outcomes: ReleaseOutcomes,
  result: CanaryResult | undefined,
  now: number,
): Html {
  const { remote: name, pinned, canary } = remote;
  return html`<section aria-labelledby="${name}">
<h2 id="${name}">${name}</h2>
<p class="state">${pinned && html`<span class="tag pinned">Pinned</span> `}${canary && html`<span class="tag canary">Canary ${canary.percent} %</span> `}${stateSentence(remote, result, now)}</p>
${originLine(remote)}
${problemBox(remote, now)}
${releaseTable(remote, outcomes, now)}
</section>
`;
}
