import type { KeptReleaseOverview, RemoteOverview } from '../../releases/release-overview.ts';
import { releasesPageAddress } from './addresses.ts';
import { type Content, type Html, html } from './html.ts';
import type { ChangeName } from './requested-change.ts';

interface ChangeForm {
  readonly change: ChangeName;
  /** What the button says, and the rest of its name for who does not see where it stands. */
  readonly button: readonly [label: string, rest: string];
  readonly version?: string | undefined;
  readonly emphasis?: 'strong' | undefined;
  /** Further fields, before the button. */
  readonly fields?: Content;
}

/** A form is a button with what it needs to know; the revision keeps it from acting on what has changed since. */
function changeForm(
  { remote, revision }: RemoteOverview,
  { change, button: [label, rest], version, emphasis, fields }: ChangeForm,
): Html {
  return html`<form method="post" action="${releasesPageAddress}">
<input type="hidden" name="remote" value="${remote}">
<input type="hidden" name="revision" value="${revision}">
${version !== undefined && html`<input type="hidden" name="version" value="${version}">`}
${fields}
<button class="${emphasis}" type="submit" name="change" value="${change}">${label}<span class="hidden"> ${rest}</span></button>
</form>`;
}

const reasonField = (of: string) =>
  html`<label class="reason">Reason <span class="hidden">for the log, ${of}</span><input type="text" name="why" maxlength="200" autocomplete="off"></label>`;

function rollbackForm(remote: RemoteOverview, from: string, to: string | undefined): Html {
  const [rest, version] =
    from === remote.canary?.version
      ? [`${remote.remote}, canary ${from}`, undefined]
      : [`${remote.remote} from ${from} to ${to}`, to];
  return changeForm(remote, {
    change: 'rollback',
    button: ['Roll back', rest],
    version,
    // Where a canary runs, it is what one wants to take back.
    emphasis: from === remote.canary?.version || !remote.canary ? 'strong' : undefined,
    fields: reasonField(`rolling back ${rest}`),
  });
}

/** Hidden until it is asked for: a release is changed less often than it is looked at. */
const folded = (label: string, rest: string, form: Html) =>
  html`<details>
<summary>${label} …<span class="hidden"> ${rest}</span></summary>
${form}
</details>`;

function pinForm(remote: RemoteOverview, version: string): Html {
  const rest = `${remote.remote} to ${version}`;
  const fields = reasonField(`pinning ${rest}`);
  return folded('Pin', rest, changeForm(remote, { change: 'pin', button: ['Pin', rest], version, fields }));
}

function unpinForm(remote: RemoteOverview): Html {
  const rest = `${remote.remote} from ${remote.active}`;
  const fields = reasonField(`unpinning ${rest}`);
  return changeForm(remote, { change: 'unpin', button: ['Unpin', rest], fields });
}

function giveForm(remote: RemoteOverview, version: string): Html {
  const rest = `visitors ${remote.remote} ${version}`;
  const button = ['Give to all', rest] as const;
  const fields = reasonField(`giving to all ${rest}`);
  return folded('Give to all', rest, changeForm(remote, { change: 'give', button, version, fields }));
}

function canaryForm(remote: RemoteOverview, version: string): Html {
  const running = remote.canary?.version === version ? remote.canary : undefined;
  const name = `${remote.remote} ${version}`;
  const fields = html`<label>Share of visitors, % <span class="hidden">for ${name}</span><input type="number" name="percent" min="1" max="99" step="1" value="${running?.percent ?? 10}" required></label>
<label class="check"><input type="checkbox" name="auto"${(running?.auto ?? true) && html` checked`}> End by itself where it fails too often<span class="hidden">, ${name}</span></label>
${reasonField(`canary ${name}`)}`;
  const button = running ? (['Change share', `of canary ${name}`] as const) : (['Start canary', `of ${name}`] as const);
  return folded(
    running ? 'Share' : 'Canary',
    `of ${name}`,
    changeForm(remote, { change: 'canary', button, version, fields }),
  );
}

/** All that can be done with a kept release at the moment. */
export function changeForms(remote: RemoteOverview, { version, standing }: KeptReleaseOverview): Content {
  if (standing === 'active') {
    const previous = remote.kept.find((each) => each.standing === 'previous')?.version;
    return [
      previous !== undefined && rollbackForm(remote, version, previous),
      remote.pinned ? unpinForm(remote) : pinForm(remote, version),
    ];
  }
  return [
    standing === 'canary' && rollbackForm(remote, version, remote.active),
    giveForm(remote, version),
    pinForm(remote, version),
    canaryForm(remote, version),
  ];
}
