import { type Published, previewUrl, type Remote, type State } from '@daybook/contract/release';
import { printableLine } from '@daybook/server';

const units = [
  ['day', 24 * 60 * 60_000],
  ['hour', 60 * 60_000],
  ['minute', 60_000],
] as const;
const ages = new Intl.RelativeTimeFormat('en');

/** Returns the age of a moment (ISO 8601) in words: `3 minutes ago`. */
export function ageOf(moment: string, now = Date.now()): string {
  const age = now - Date.parse(moment);
  const [unit, length] = units.find(([, each]) => age >= each) ?? [];
  return unit ? ages.format(-Math.floor(age / length), unit) : 'just now';
}

const momentOf = (moment: string): string => new Date(moment).toISOString().slice(0, 19).replace('T', ' ');

export const sizeOf = (bytes: number): string =>
  bytes >= 1_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${Math.ceil(bytes / 1_000)} kB`;

function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const cells = rows.map((row) => row.map(printableLine));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function stateText(state: State | null): string {
  if (!state) return 'no release yet';
  const { canary, percent, heldBy, heldByOperator } = state;
  const hold = heldBy && `held by ${heldBy}${heldByOperator ? ', only an operator can lift it' : ''}`;
  return [canary && `canary ${canary} for ${percent} %`, hold].filter(Boolean).join('; ');
}

export const listLines = (remotes: readonly Remote[]): readonly string[] =>
  alignColumns([
    ['REMOTE', 'ACTIVE', 'LAST CHANGE', 'STORED', ''],
    ...remotes.map(({ remote, state, releases }) => [
      remote,
      state?.active ?? '–',
      state ? ageOf(state.at) : '–',
      String(releases.length),
      stateText(state),
    ]),
  ]);

export function showLines(site: string, remote: Remote, log: readonly State[]): readonly string[] {
  const { state, previous, releases, countedSince } = remote;
  return [
    `${remote.remote}  ${state?.active ?? ''}  ${stateText(state)}`.trimEnd(),
    previous ? `A rollback returns to ${previous}.` : 'There is no release to roll back to.',
    '',
    ...alignColumns([
      ['VERSION', 'STATUS', 'STORED', 'COMMIT', 'AUTHOR', 'FILES', 'SIZE', 'VIEWS', 'FAILURES'],
      ...releases.map(({ version, status, storedAt, commit, author, files, size, views, failures }) => [
        version,
        status,
        ageOf(storedAt),
        commit?.slice(0, 8) ?? '–',
        author ?? '–',
        String(files),
        sizeOf(size),
        String(views),
        String(failures),
      ]),
    ]),
    `Views and failures on the server that answered, since ${momentOf(countedSince)} UTC.`,
    '',
    ...logLines(site, log, [remote]),
  ];
}

/** Prints `releases log`. A release that was removed or rolled back has no preview. */
export function logLines(site: string, rows: readonly State[], remotes: readonly Remote[]): readonly string[] {
  const previews = new Set(
    remotes.flatMap(({ remote, releases }) =>
      releases.flatMap(({ version, status }) => (status === 'rolled back' ? [] : previewUrl(remote, version))),
    ),
  );
  return alignColumns([
    ['WHEN (UTC)', 'REMOTE', 'ACTION', 'ACTIVE', 'CANARY', 'BY', 'WHY', 'PREVIEW'],
    ...rows.map(({ at, remote, action, active, canary, percent, by, why }) => {
      const shown = action === 'publish' || action === 'canary' ? (canary ?? active) : active;
      const preview = shown ? previewUrl(remote, shown) : '';
      const share = canary ? `${canary} (${percent} %)` : '–';
      return [
        momentOf(at),
        remote,
        action,
        active ?? '–',
        share,
        by,
        why || '–',
        previews.has(preview) ? new URL(preview, site).href : '–',
      ];
    }),
  ]);
}

type Next = readonly [what: string, words: string];

export const nextLines = (next: readonly Next[]): readonly string[] =>
  next.map(([what, words]) => `  ${what}:`.padEnd(14) + words);

/** Marks what a team can't do while an operator holds its remote. */
const forOperators = (state: State | null) => (state?.heldByOperator ? 'only operators: ' : '');

export const activateCommand = (state: State | null, release: string, command: (words: string) => string): Next => [
  'activate',
  forOperators(state) + command(`activate ${release}`),
];

export const liftCommands = (state: State | null, command: (words: string) => string): readonly Next[] =>
  state && state.heldBy !== null ? [['lift', forOperators(state) + command(`lift ${state.remote}`)]] : [];

export const isVisible = ({ version, state }: Pick<Published, 'version' | 'state'>): boolean =>
  state?.active === version || state?.canary === version;

/** Prints the answer to a publication and what can be done next; `command` returns a command line with these words. */
export function publishedLines(
  site: string,
  remote: string,
  published: Published,
  command: (words: string) => string,
): readonly string[] {
  const { version, outcome, state, previous, lines, preview } = published;
  const isActive = state?.active === version;
  const isCanary = state?.canary === version;
  const next: (Next | false)[] = [
    !isActive && ['preview', new URL(preview, site).href],
    !isActive && activateCommand(state, `${remote}@${version}`, command),
    isCanary && ['end', command(`end ${remote}`)],
    isActive && previous !== null && ['roll back', command(`rollback ${remote}`)],
    ['inspect', command(`show ${remote}`)],
  ];
  const lift = outcome === 'held' ? liftCommands(state, command) : [];
  return [...lines, ...nextLines([...next.filter((each) => !!each), ...lift])];
}

/** Says what visitors have after a publication that failed; `now` is `undefined` if the site does not say. */
export function failureText(remote: string, version: string, now: Remote | undefined): string {
  if (!now) return `It is not known whether ${remote}@${version} was published. Publish it again: that is harmless.`;
  const { state, releases } = now;
  if (state?.active === version) return `${remote}@${version} is active: all visitors get it.`;
  const isStored = releases.some((each) => each.version === version);
  const visitors = state?.active ? `Visitors get ${remote}@${state.active}.` : 'Visitors get no release of it yet.';
  return `${isStored ? `${remote}@${version} is stored.` : 'Nothing was published.'} ${visitors}`;
}
