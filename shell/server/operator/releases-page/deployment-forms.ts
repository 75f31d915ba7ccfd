import type { deploymentActions, RemoteOverview, StoredOverview } from '@daybook/releases/server';
import { type Content, type Html, html } from '../../html.ts';
import { releasesPageUrl } from '../releases-urls.ts';

type ActionName = (typeof deploymentActions)[number];

interface DeploymentForm {
  readonly button: string;
  /** Rest of the accessible name: every release has the same button. */
  readonly rest: string;
  /** The action, in the accessible name of the reason field. */
  readonly doing: string;
  readonly version?: string | undefined;
  readonly fields?: Content;
}

/** The form sends the number of the last deployment, so that it can't change a remote that has changed since the page was rendered. */
function deploymentForm(
  { remote, number }: RemoteOverview,
  action: ActionName,
  { button, rest, doing, version, fields }: DeploymentForm,
): Html {
  return html`<form method="post" action="${releasesPageUrl}">
<input type="hidden" name="remote" value="${remote}"><input type="hidden" name="seen" value="${number}">
${version !== undefined && html`<input type="hidden" name="version" value="${version}">`}${fields}
<label>Reason <span class="hidden">for the log, ${doing} ${rest}</span><input type="text" name="why" maxlength="200" autocomplete="off"></label>
<button type="submit" name="action" value="${action}">${button}<span class="hidden"> ${rest}</span></button>
</form>`;
}

/** Collapsed at first: releases are viewed more often than changed. */
const folded = (label: string, rest: string, form: Html) =>
  html`<details><summary>${label} …<span class="hidden"> ${rest}</span></summary>${form}</details>`;

function activateForm(overview: RemoteOverview, version: string): Html {
  const rest = `${overview.remote} ${version} for all visitors`;
  const form = deploymentForm(overview, 'activate', { button: 'Activate', rest, doing: 'activating', version });
  return folded('Activate', rest, form);
}

function canaryForm(overview: RemoteOverview, version: string): Html {
  const running = overview.canary?.version === version ? overview.canary : undefined;
  const name = `${overview.remote} ${version}`;
  const fields = html`<label>Share of visitors, % <span class="hidden">for ${name}</span><input type="number" name="percent" min="1" max="99" step="1" value="${running?.percent ?? 10}" required></label>`;
  const [button, rest] = running ? ['Change share', `of canary ${name}`] : ['Start canary', `of ${name}`];
  const form = deploymentForm(overview, 'offer', { button, rest, doing: 'canary', version, fields });
  return folded(running ? 'Share' : 'Canary', `of ${name}`, form);
}

function endForm(overview: RemoteOverview, audience: 'canary' | 'preview', version: string): Html {
  const rest = `of ${overview.remote} ${version}`;
  const fields = html`<input type="hidden" name="audience" value="${audience}">`;
  return deploymentForm(overview, 'end', { button: `End ${audience}`, rest, doing: `ending the ${audience}`, fields });
}

/** Returns the form that holds a remote, or lifts it. */
export function holdForm(overview: RemoteOverview): Html {
  const { remote, heldBy } = overview;
  if (heldBy) return deploymentForm(overview, 'lift', { button: 'Lift', rest: remote, doing: 'lifting' });
  return folded('Hold', remote, deploymentForm(overview, 'hold', { button: 'Hold', rest: remote, doing: 'holding' }));
}

/** Returns the forms for a stored release in its current state. */
export function deploymentForms(overview: RemoteOverview, { version }: StoredOverview): Content {
  const { remote, active, previous, canary, preview } = overview;
  if (version === active) {
    const rest = `${remote} from ${version} to ${previous}`;
    const rollback = { button: 'Roll back', rest, doing: 'rolling back', version: previous };
    return previous !== undefined && deploymentForm(overview, 'rollback', rollback);
  }
  return [
    version === canary?.version && endForm(overview, 'canary', version),
    version === preview?.version && endForm(overview, 'preview', version),
    activateForm(overview, version),
    canaryForm(overview, version),
  ];
}
