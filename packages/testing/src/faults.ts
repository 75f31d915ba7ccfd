import { gzipSync } from 'node:zlib';
import { contractVersion, type Release, type ReleaseRoute, releaseFileName } from '@daybook/contract/release';
import { type rejectionReasons, releaseLimits } from '@daybook/releases';
import { describeFile, type ReleaseVariant } from '@daybook/runner/releases';

// The releases that a site must reject, each once. `packages/releases/test/faults.spec.ts` publishes all of them; tests of
// other levels take the few that show how their level uses it.

type Reason = (typeof rejectionReasons)[number];

/** What is sent of a release, by name: its files and `release.json`. */
export type Sent = ReadonlyMap<string, Buffer | string>;

/** Returns what is sent of a release. */
export const sentOf = ({ release, files }: ReleaseVariant): Sent =>
  new Map<string, Buffer | string>([...files, [releaseFileName, JSON.stringify(release)]]);

/** What a fault may need beside the release that it breaks. */
interface Surroundings {
  /** The release that stays active. */
  readonly active: Release;
  /** The active release of another remote. */
  readonly other: Release;
}

/** Makes a fault out of a good release: returns what is sent. */
type Make = (good: ReleaseVariant, around: Surroundings) => Sent;

/** A broken release. */
export interface Fault {
  /** A sentence or its beginning: what the team reads, if that says what the fault is. */
  readonly name: string;
  /** The metric's `reason` label. */
  readonly reason: Reason;
  /** One of the errors that the team reads. */
  readonly message: RegExp;
  readonly make: Make;
}

/** What is reported, with `…` for any text; how the fault is made; and its name, if it is not what is reported. */
type Row<From> = readonly [reported: string, from: From, name?: string];
type Rows<From> = Readonly<Partial<Record<Reason, readonly Row<From>[]>>>;

const patternOf = (reported: string) =>
  new RegExp(`^${reported.replaceAll(/[^\w\s…]/g, '\\$&').replaceAll('…', '.*')}$`, 's');

const faultsOf = <From>(rows: Rows<From>, makeOf: (from: From) => Make): readonly Fault[] =>
  Object.entries(rows).flatMap(([reason, ofReason]) =>
    ofReason.map(([reported, from, name = reported]) => ({
      name,
      reason: reason as Reason,
      message: patternOf(reported),
      make: makeOf(from),
    })),
  );

/** Other values of fields of `release.json`. */
type Change = object | ((release: Release, around: Surroundings) => object);

const changed = (release: Release, change: Change, around: Surroundings): Release =>
  ({ ...release, ...(typeof change === 'function' ? change(release, around) : change) }) as Release;

const numbered = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

const sized = (size: number) => ({ ...describeFile(Buffer.alloc(0)), size });
/** Describes a file of this name and size in bytes, which is not sent. */
const listing = (name: string, size: number) => [name, sized(size)] as const;

const moreFiles =
  (...listed: readonly (readonly [string, object])[]): Change =>
  ({ files }) => ({ files: { ...files, ...Object.fromEntries(listed) } });
const filesNamed = (...names: readonly string[]) => moreFiles(...names.map((name) => listing(name, 1)));

/** Changes a release's first route. */
const firstRoute =
  (changes: { readonly [Key in keyof ReleaseRoute]?: unknown }): Change =>
  ({ routes: [first, ...others] }) => ({ routes: [{ ...first, ...changes }, ...others] });

/** Adds copies of a release's first route with these changes. */
const moreRoutes =
  (...changes: readonly { readonly [Key in keyof ReleaseRoute]?: unknown }[]): Change =>
  ({ routes }) => ({ routes: [...routes, ...changes.map((each) => ({ ...routes[0], ...each }))] });

/** Adds pages with a style of this size each, in bytes. */
const pagesWithStyles =
  (count: number, size: number): Change =>
  (release, around) => {
    const styles = moreFiles(...numbered(count, (index) => listing(`${index}.css`, size)));
    const pages = numbered(count, (index) => ({ path: `/page-${index}`, files: [`${index}.css`] }));
    return changed(changed(release, styles, around), moreRoutes(...pages), around);
  };

const { document, fileSize, files: maxFiles, name: maxName, routes: maxRoutes, size: maxSize } = releaseLimits;
const controls = '\u001b[2J\u202eevil\u0007';

const invalid = 'release.json is not valid:';
const route = `${invalid} routes[…]`;

/** What `release.json` states. */
const statements: Rows<Change> = {
  malformed: [
    [`${invalid} version “latest” must be …`, { version: 'latest' }],
    ['1111… has 313 characters; at most 200 are accepted', { version: `${'1'.repeat(300)}.0.0-00000000` }],
    [`${invalid} contract …`, { contract: '1' }],
    [`${invalid} entry: … expected string, received undefined`, { entry: undefined }],
    [
      `${invalid} routes[…] (/long).title must have 200 characters or fewer`,
      moreRoutes({ path: '/long', title: 'x'.repeat(201) }),
    ],
    ...['/api/a', '/registry', '/404', '/assets-of-mine', '/remotes'].map(
      (reserved) =>
        [`${route}.path “${reserved}” is reserved for the shell server`, firstRoute({ path: reserved })] as const,
    ),
    ['and 5 more', moreRoutes(...numbered(25, (index) => ({ path: `/page-${index}`, title: '' })))],
    [`${route} (/page-4).title “”: …`, moreRoutes(...numbered(5, (index) => ({ path: `/page-${index}`, title: '' })))],
    ...['../evil.js', '../../evil.js', '/etc/passwd', 'a/../../evil.js', 'a\\..\\evil.js', '.hidden', 'C:evil.js'].map(
      (file) => [`${invalid} files.${file}: Invalid key in record`, filesNamed(file)] as const,
    ),
    ['two of its routes have the path /twice', moreRoutes({ path: '/twice' }, { path: '/twice' })],
    ...[releaseFileName, 'release.jws'].map(
      (file) => [`it lists ${file} among its files, which is its own`, filesNamed(file)] as const,
    ),
    ['its file Release.JSON is release.json on a case-insensitive file system', filesNamed('Release.JSON')],
    ['its file A.js is a.js on a case-insensitive file system', filesNamed('a.js', 'A.js')],
    ['its file a is a folder of its file a/b.js', filesNamed('a', 'a/b.js')],
    ['its file A/b is a folder of its file a/B/c/d.js', filesNamed('a/B/c/d.js', 'A/b')],
    ['its file release.json is a folder of its file release.json/a.js', filesNamed('release.json/a.js')],
    ['its file a/a/a/a/a/a/a/a/a/a.js is in more than 8 folders', filesNamed(`${'a/'.repeat(9)}a.js`)],
    ['its files are in 101 folders; at most 100 are accepted', filesNamed(...numbered(101, (each) => `${each}/a.js`))],
    [`${'a'.repeat(40)} … has 203 characters; at most 200 are accepted`, filesNamed(`${'a'.repeat(maxName)}.js`)],
    ['and 980 more', filesNamed(...numbered(1_000, (each) => `../${controls}\n${each}`))],
  ],
  foreign: [['it is a release of mf-foreign', { name: 'mf-foreign' }]],
  contract: [
    ['it needs a newer shell: it is built for contract …, and this shell …', { contract: contractVersion + 1 }],
    ['it needs a newer shell: it is built for contract ….5, …', { contract: contractVersion + 0.5 }],
    [
      'it is too old for this shell: it is built for contract …; build and release it again',
      { contract: contractVersion - 1 },
    ],
    ['it is too old for this shell: it is built for contract -1, …', { contract: -1 }],
    [
      'it needs a newer shell: …',
      { contract: contractVersion + 1, name: 1, routes: 1 },
      'it needs a newer shell, whatever else it has',
    ],
    [
      'it is too old for this shell: …',
      { contract: contractVersion - 1, name: 1, routes: 1 },
      'it is too old for this shell, whatever else it has',
    ],
  ],
  incomplete: [
    ['its entry gone.js is not among its files', { entry: 'gone.js' }],
    ['gone.js, which /other needs, is not among its files', moreRoutes({ path: '/other', files: ['gone.js'] })],
    ['gone.css, which /other needs, is not among its files', moreRoutes({ path: '/other', files: ['gone.css'] })],
    ['gone.html, which /other needs, is not among its files', moreRoutes({ path: '/other', fragment: 'gone.html' })],
  ],
  collision: [
    [
      'its route /… belongs to mf-…@…',
      (release, around) => changed(release, moreRoutes({ path: around.other.routes[0]?.path }), around),
      'it has the path of another remote',
    ],
  ],
  'version-reused': [
    [
      '… differs from the stored release of the same version; raise the version in mf-…/package.json',
      (release, { active }) => ({ ...active, files: release.files, entry: release.entry }),
      'it has other files under a stored version',
    ],
    [
      '… differs from the stored release of the same version; …',
      ({ files, entry }, { active }) => ({ ...active, files: { [active.entry]: files[entry] } }),
      'it has another file of the same name under a stored version',
    ],
    [
      '… differs from the stored release of the same version; …',
      (_, { active }) => ({ ...active, routes: active.routes.map((each) => ({ ...each, title: 'Other' })) }),
      'it has other pages under a stored version',
    ],
  ],
  'too-large': [
    ['it has 2001 files; at most 2000 are accepted', filesNamed(...numbered(maxFiles, (each) => `${each}.js`))],
    ['its file a.js has 20000001 bytes; at most 20000000 are accepted', moreFiles(listing('a.js', fileSize + 1))],
    ['its file a.js has 9007199254740991 bytes; …', moreFiles(listing('a.js', Number.MAX_SAFE_INTEGER))],
    [
      'it has 60… bytes; at most 60000000 are accepted',
      moreFiles(...numbered(maxSize / fileSize, (each) => listing(`${each}.js`, fileSize))),
    ],
    [
      'it has 201 routes; at most 200 are accepted',
      ({ routes }) => ({ routes: numbered(maxRoutes + 1, () => routes[0]) }),
    ],
    [
      'what every page of the site contains of it … has … bytes; at most 8000 are accepted; …',
      moreRoutes(...numbered(21, (each) => ({ path: `/page-${each}`, title: 'é'.repeat(200) }))),
      'its titles are few characters and many bytes',
    ],
    [
      'the page /page-0 with its styles has 1000001 bytes; at most 1000000 are accepted',
      pagesWithStyles(1, document + 1),
    ],
    ['all pages together has … bytes; at most 10000000 are accepted', pagesWithStyles(11, document)],
  ],
};

const changing =
  (change: Change): Make =>
  (good, around) =>
    sentOf({ ...good, release: changed(good.release, change, around) });

/** What stands in place of `release.json`. */
const texts: Rows<string> = {
  malformed: [
    [
      'release.json is not JSON: <!doctype html> <html lang="en"><head><t …',
      '<!doctype html>\n<html lang="en"><head><title>Not found</title>',
    ],
    ['release.json is not JSON: ', ''],
    ['release.json is not JSON: {"name": "mf-le', '{"name": "mf-le'],
    ['release.json is not JSON: [2J evil', controls, 'release.json is not JSON: control characters of a terminal'],
    ['release.json is not JSON: {}', '\ufeff{}', 'release.json is not JSON: a byte order mark'],
    [`${invalid} it: Invalid input: …`, 'null', `${invalid} null`],
    ...['[]', '7', '"text"', '{}'].map(
      (json) => [`${invalid} …: Invalid input: …`, json, `${invalid} ${json}`] as const,
    ),
  ],
  'too-large': [['release.json has 300002 bytes; at most 300000 are accepted', 'ü'.repeat(150_001)]],
};

const withText =
  (text: string): Make =>
  (good) =>
    new Map(sentOf(good)).set(releaseFileName, text);

/** Replaces a file that `release.json` describes. */
const withEntry =
  (contentOf: (content: Buffer) => Buffer): Make =>
  (good) => {
    const { entry } = good.release;
    return new Map(sentOf(good)).set(entry, contentOf(good.files.get(entry) ?? Buffer.alloc(0)));
  };

/** Adds files, which `release.json` describes. */
const withFiles =
  (files: Readonly<Record<string, Buffer>>, change: Change = {}): Make =>
  ({ release, files: former }, around) => {
    const described = Object.entries(files).map(([name, content]) => [name, describeFile(content)] as const);
    const listed = { ...release, files: { ...release.files, ...Object.fromEntries(described) } };
    const all = new Map([...former, ...Object.entries(files)]);
    return sentOf({ release: changed(listed, change, around), files: all });
  };

/** Gives a release's first page this HTML. */
const withFragment = (html: string) =>
  withFiles({ 'fragments/fault.html': Buffer.from(html) }, firstRoute({ fragment: 'fragments/fault.html' }));

/** What is sent under the names that `release.json` lists. */
const contents: Rows<Make> = {
  tampered: [
    [
      'its file … does not match its SHA-384 in release.json',
      withEntry((content) => Buffer.from(content.map((byte, index) => (index === 0 ? byte ^ 1 : byte)))),
    ],
    ['its file … has … bytes instead of …', withEntry((content) => content.subarray(1))],
    ['its file … has more than the … bytes in release.json', withEntry((content) => Buffer.concat([content, content]))],
  ],
  fragment: [
    ['… <p> has an inline style or event handler, …', withFragment('<p onclick="alert(1)">text</p>')],
    ['… it has <script>', withFragment('<p>text</p><script>alert(1)</script>')],
  ],
};

/** Faults that would take the time of a server that checks them naively. */
export const heavyFaults: readonly Fault[] = [
  ...faultsOf<Make>(
    {
      fragment: [
        ['… more than …', withFragment('<a>'.repeat(330_000)), 'it has a fragment of 990 kB of <a>'],
        ['… more than …', withFragment('<p><b>'.repeat(160_000)), 'it has a fragment of nested elements'],
        [
          '… more than …',
          withFragment(`<p ${numbered(120_000, (each) => `a${each}`).join(' ')}></p>`),
          'it has a fragment of many attributes',
        ],
        ['… “</div>…', withFragment(`<p>text</p>${'</div>'.repeat(150_000)}`), 'it has a fragment of many end tags'],
      ],
      tampered: [
        [
          'its file a.js.gz is not its file a.js compressed',
          withFiles({ 'a.js': Buffer.from('a'), 'a.js.gz': gzipSync(Buffer.alloc(30_000_000)) }),
        ],
      ],
      malformed: [
        [
          'release.json is not …',
          withText('['.repeat(149_000) + ']'.repeat(149_000)),
          'it has a release.json of brackets',
        ],
      ],
    },
    (make) => make,
  ),
  ...faultsOf<Change>(
    {
      malformed: [
        [
          '… must have 200 characters or fewer',
          firstRoute({ title: '<!--'.repeat(70_000) }),
          'it has a title of 280 kB',
        ],
        [
          '… must have 200 characters or fewer…',
          firstRoute({ path: `${'/a'.repeat(140_000)}!` }),
          'it has a path of 280 kB',
        ],
        [
          'its files are in 20… folders; at most 100 are accepted',
          filesNamed(...numbered(200, (each) => `f${each}/a.js`)),
        ],
      ],
      'too-large': [
        ['release.json has 20… bytes; at most 300000 are accepted', firstRoute({ title: 'a'.repeat(2_000_000) })],
        ['it has 10000 files for one route; at most 100 are accepted', firstRoute({ files: Array(10_000).fill('a') })],
        ['it has 140000 routes; …', { routes: Array(140_000).fill(0) }],
        ['it has 20000 files; …', { files: Object.fromEntries(numbered(20_000, (each) => [each, 0])) }],
      ],
      incomplete: [[`its entry ${'a'.repeat(400)}…`, { entry: 'a'.repeat(280_000) }, 'it has an entry of 280 kB']],
    },
    changing,
  ),
];

/** Every fault of a release. */
export const faults: readonly Fault[] = [
  ...faultsOf(statements, changing),
  ...faultsOf(texts, withText),
  ...faultsOf(contents, (make) => make),
  ...heavyFaults,
];
