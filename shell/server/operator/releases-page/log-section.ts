import type { ReleaseChange } from '../../releases/log/release-change.ts';
import type { ReleaseLog } from '../../releases/log/release-log.ts';
import { logProblemTexts } from '../../releases/texts/log-problem-texts.ts';
import { type Html, html } from './html.ts';
import { ageElement } from './moments.ts';

/** So many of the last changes are shown. */
const shown = 50;

const columns = ['When', 'Remote', 'Change', 'From', 'To', 'By', 'Why'];
const classes = ['', '', '', 'version', 'version', '', 'why'];

function changeText({ action, percent, auto }: ReleaseChange): string {
  if (action !== 'canary') return action;
  return `canary ${percent} %${auto ? ', ends by itself' : ''}`;
}

function row(change: ReleaseChange, now: number): Html {
  const { at, remote, from, to, by, why } = change;
  const values = [ageElement(Date.parse(at), now), remote, changeText(change), from ?? '–', to, by, why];
  const cells = values.map(
    (value, index) => html`<td role="cell" class="${classes[index]}" data-label="${columns[index]}">${value}</td>`,
  );
  return html`<tr role="row">${cells}</tr>
`;
}

/** The last changes of all remotes, the latest first, and what is wrong with the log. */
export function logSection(log: ReleaseLog, now: number): Html {
  const changes = log.changes();
  const last = changes.slice(-shown).reverse();
  return html`<section aria-labelledby="log">
<h2 id="log">Log</h2>
<p class="state">${changes.length > shown ? `The last ${shown} of ${changes.length} changes.` : 'Every change, the latest first.'}</p>
${logProblemTexts(log.problems()).map(
  (text) => html`<p class="problem"><strong>log</strong> ${text}</p>
`,
)}<table role="table" class="log" aria-labelledby="log">
<thead role="rowgroup"><tr role="row">${columns.map((column) => html`<th role="columnheader" scope="col">${column}</th>`)}</tr></thead>
<tbody role="rowgroup">
${last.map((change) => row(change, now))}
</tbody>
</table>
</section>`;
}
