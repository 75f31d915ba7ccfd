import { sizeOf } from '@daybook/server';
import type { OutcomeInMinute } from '../../outcomes/release-outcomes.ts';
import type { KeptReleaseOverview, ReleaseStanding, RemoteOverview } from '../../releases/release-overview.ts';
import { changeForms } from './change-forms.ts';
import { type Html, html } from './html.ts';
import { ageElement } from './moments.ts';
import { type ChartScale, outcomeChart } from './outcome-chart.ts';

const standingLabels: Readonly<Record<ReleaseStanding, string>> = {
  active: 'Active',
  canary: 'Canary',
  previous: 'Previous',
  withdrawn: 'Taken back',
  kept: 'Kept',
};

/** The share of visitors that a release is given to, in percent. */
function shareOf({ canary, served, kept }: RemoteOverview, { version, standing }: KeptReleaseOverview): number {
  const canaryShare = kept.some((each) => each.standing === 'canary') ? (canary?.percent ?? 0) : 0;
  if (version === served) return 100 - canaryShare;
  return standing === 'canary' ? canaryShare : 0;
}

function failuresText(views: number, failures: number): string {
  if (failures === 0 || views === 0) return String(failures);
  return `${failures}\u00a0(${((failures / views) * 100).toFixed(1)}\u00a0%)`;
}

export const releaseColumns = [
  'Release',
  'Mirrored',
  'Files',
  'Visitors',
  'Views',
  'Failures',
  'Last 3 hours',
  'Change',
];

/**
 * A kept release in the table of its remote. The roles are written out, since a table that is laid out as a list on
 * small screens is none to a screen reader otherwise.
 */
export function releaseRow(
  remote: RemoteOverview,
  release: KeptReleaseOverview,
  minutes: readonly OutcomeInMinute[],
  scale: ChartScale,
  now: number,
): Html {
  const { version, standing, storedAt, files, size } = release;
  const views = minutes.reduce((sum, minute) => sum + minute.views, 0);
  const failures = minutes.reduce((sum, minute) => sum + minute.failures, 0);
  const cell = (index: number, content: Html | string | number, className = '') =>
    html`<td role="cell" class="${className}" data-label="${releaseColumns[index]}">${content}</td>`;
  return html`<tr role="row" class="${standing}">
<th role="rowheader" scope="row"><span class="version">${version}</span> <span class="tag ${standing}">${standingLabels[standing]}</span></th>
${cell(1, ageElement(storedAt, now))}
${cell(2, `${files} / ${sizeOf(size)}`)}
${cell(3, `${shareOf(remote, release)}\u00a0%`, 'number')}
${cell(4, views, 'number')}
${cell(5, failuresText(views, failures), failures > 0 ? 'number failed' : 'number')}
${cell(6, outcomeChart(minutes, scale), 'picture')}
<td role="cell" class="changes"><div class="forms">${changeForms(remote, release)}</div></td>
</tr>
`;
}
