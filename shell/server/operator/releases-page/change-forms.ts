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

const pinForm = (remote: RemoteOverview, version: string) =>
  changeForm(remote, { change: 'pin', button: ['Pin', `${remote.remote} to ${version}`], version });

const unpinForm = (remote: RemoteOverview) =>
  changeForm(remote, { change: 'unpin', button: ['Unpin', `${remote.remote} from ${remote.active}`] });

const giveForm = (remote: RemoteOverview, version: string) =>
  changeForm(remote, { change: 'give', button: ['Give to all', `visitors ${remote.remote} ${version}`], version });

/** Hidden until it is asked for: a release is given to some visitors less often than it is looked at. */
function canaryForm(remote: RemoteOverview, version: string): Html {
  const running = remote.canary?.version === version ? remote.canary : undefined;
  const name = `${remote.remote} ${version}`;
  const fields = html`<label>Share of visitors, % <span class="hidden">for ${name}</span><input type="number" name="percent" min="1" max="99" step="1" value="${running?.percent ?? 10}" required></label>
<label class="check"><input type="checkbox" name="auto"${(running?.auto ?? true) && html` checked`}> End by itself where it fails too often<span class="hidden">, ${name}</span></label>
${reasonField(`canary ${name}`)}`;
  const button = running ? (['Change share', `of canary ${name}`] as const) : (['Start canary', `of ${name}`] as const);
  return html`<details>
<summary>${running ? 'Share' : 'Canary'} …<span class="hidden"> of ${name}</span></summary>
${changeForm(remote, { change: 'canary', button, version, fields })}
</details>`;
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
