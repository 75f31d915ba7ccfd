import type { RemoteOverview, StoredOverview } from '@daybook/releases/server';
import { type Content, type Html, html } from '../../html.ts';

/** The operator's page for releases. */
export const releasesPageAddress = '/_releases';

export const changeNames = ['rollback', 'pin', 'unpin', 'canary', 'promote', 'activate', 'end-preview'] as const;
type ChangeName = (typeof changeNames)[number];

interface ChangeForm {
  readonly button: string;
  /** Rest of the accessible name: every release has the same button. */
  readonly rest: string;
  /** The change, in the accessible name of the reason field. */
  readonly doing: string;
  readonly version?: string | undefined;
  readonly fields?: Content;
}

/** The form sends the revision, so that it can't change a remote that has changed since the page was rendered. */
function changeForm(
  { remote, revision }: RemoteOverview,
  change: ChangeName,
  { button, rest, doing, version, fields }: ChangeForm,
): Html {
  return html`<form method="post" action="${releasesPageAddress}">
<input type="hidden" name="remote" value="${remote}"><input type="hidden" name="revision" value="${revision}">
${version !== undefined && html`<input type="hidden" name="version" value="${version}">`}${fields}
<label>Reason <span class="hidden">for the log, ${doing} ${rest}</span><input type="text" name="why" maxlength="200" autocomplete="off"></label>
<button type="submit" name="change" value="${change}">${button}<span class="hidden"> ${rest}</span></button>
</form>`;
}

/** Collapsed at first: releases are viewed more often than changed. */
const folded = (label: string, rest: string, form: Html) =>
  html`<details><summary>${label} …<span class="hidden"> ${rest}</span></summary>${form}</details>`;

function rollbackForm(overview: RemoteOverview, from: string, to: string | undefined): Html {
  const { remote, canary } = overview;
  const isCanary = from === canary?.version;
  const rest = isCanary ? `${remote}, canary ${from}` : `${remote} from ${from} to ${to}`;
  const version = isCanary ? undefined : to;
  return changeForm(overview, 'rollback', { button: 'Roll back', rest, doing: 'rolling back', version });
}

/** Asks for the version: the pinned release is usually the good one, and a newer one only waits. */
function pinnedRollbackForm(overview: RemoteOverview, from: string): Html {
  const { remote, stored } = overview;
  const others = stored.filter((each) => each.version !== from);
  const fields = html`<p>Pins ${remote} to another release. <code>${from}</code> is not activated automatically again.</p>
<label>Release <span class="hidden">to roll ${remote} back to</span><select name="version" required><option value="">Choose …</option>${others.map(({ version, standing }) => html`<option value="${version}">${version}${standing === 'stored' ? '' : ` (${standing})`}</option>`)}</select></label>`;
  const rest = `${remote} from pinned ${from}`;
  const form = changeForm(overview, 'rollback', { button: 'Roll back', rest, doing: 'rolling back', fields });
  return folded('Roll back', rest, form);
}

function pinForm(overview: RemoteOverview, version: string): Html {
  const rest = `${overview.remote} to ${version}`;
  return folded('Pin', rest, changeForm(overview, 'pin', { button: 'Pin', rest, doing: 'pinning', version }));
}

function canaryForm(overview: RemoteOverview, version: string): Html {
  const running = overview.canary?.version === version ? overview.canary : undefined;
  const name = `${overview.remote} ${version}`;
  const fields = html`<label>Share of visitors, % <span class="hidden">for ${name}</span><input type="number" name="percent" min="1" max="99" step="1" value="${running?.percent ?? 10}" required></label>`;
  const [button, rest] = running ? ['Change share', `of canary ${name}`] : ['Start canary', `of ${name}`];
  const form = changeForm(overview, 'canary', { button, rest, doing: 'canary', version, fields });
  return folded(running ? 'Share' : 'Canary', `of ${name}`, form);
}

/** Returns the forms for a stored release in its current state. */
export function changeForms(overview: RemoteOverview, { version, standing }: StoredOverview): Content {
  const { remote, stored, pinned, active } = overview;
  if (standing === 'active') {
    const previous = stored.find((each) => each.standing === 'previous')?.version;
    const unpin = { button: 'Unpin', rest: `${remote} from ${version}`, doing: 'unpinning' };
    return [
      previous !== undefined &&
        (pinned ? pinnedRollbackForm(overview, version) : rollbackForm(overview, version, previous)),
      pinned ? changeForm(overview, 'unpin', unpin) : pinForm(overview, version),
    ];
  }
  const isCanary = standing === 'canary';
  const activate = isCanary
    ? { button: 'Promote', rest: `${remote} ${version} to all visitors`, doing: 'promoting', version }
    : { button: 'Activate', rest: `${remote} ${version} for all visitors`, doing: 'activating', version };
  const endPreview = { button: 'End preview', rest: `of ${remote} ${version}`, doing: 'ending the preview' };
  return [
    isCanary && rollbackForm(overview, version, active),
    standing === 'preview' && changeForm(overview, 'end-preview', endPreview),
    folded(activate.button, activate.rest, changeForm(overview, isCanary ? 'promote' : 'activate', activate)),
    pinForm(overview, version),
    canaryForm(overview, version),
  ];
}
