import { gzipSync } from 'node:zlib';
import { contractVersion, type Release, type ReleaseRoute, releaseFileName } from '@daybook/contract/release';
import { type rejectionReasons, releaseLimits } from '@daybook/releases';
import { fileEntry, type ReleaseVariant } from '@daybook/runner/releases';

// The releases that a site must reject, each once, in two tables at the end; above them, what the rows are made with.
// `packages/releases/test/faults.spec.ts` publishes all of them; tests of other levels take the few that show how their level
// uses it.

type RejectionReason = (typeof rejectionReasons)[number];

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

/** Makes a fault of a good release: returns what is sent. */
type Break = (good: ReleaseVariant, around: Surroundings) => Sent;

/** A broken release. */
export interface Fault {
  /** A sentence or its beginning: what the team reads, if that says what the fault is. */
  readonly name: string;
  /** The metric's `reason` label. */
  readonly reason: RejectionReason;
  /** One of the errors that the team reads. */
  readonly message: RegExp;
  readonly make: Break;
}

/** Other values of fields of `release.json`. */
type Change = object | ((release: Release, around: Surroundings) => object);

const changed = (release: Release, change: Change, around: Surroundings): Release =>
  ({ ...release, ...(typeof change === 'function' ? change(release, around) : change) }) as Release;

/** `release.json` states other values. */
const states =
  (change: Change): Break =>
  ({ release, files }, around) =>
    sentOf({ release: changed(release, change, around), files });

/** `release.json` is another text. */
const isText =
  (text: string): Break =>
  (good) =>
    new Map(sentOf(good)).set(releaseFileName, text);

const numbered = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Describes files that are not sent, by name, with their sizes in bytes. */
const described = (sizes: readonly (readonly [name: string, size: number])[]) =>
  Object.fromEntries(sizes.map(([name, size]) => [name, { ...fileEntry(Buffer.alloc(0)), size }]));

/** `release.json` lists more files, which are not sent. */
const listsSizes = (...sizes: readonly (readonly [name: string, size: number])[]): Break =>
  states(({ files }) => ({ files: { ...files, ...described(sizes) } }));
const lists = (...names: readonly string[]): Break => listsSizes(...names.map((name) => [name, 1] as const));

type Route = { readonly [Key in keyof ReleaseRoute]?: unknown };

/** The first route of `release.json` has other values. */
const firstRoute = (changes: Route): Break =>
  states(({ routes: [first, ...others] }) => ({ routes: [{ ...first, ...changes }, ...others] }));

const copied = (routes: Release['routes'], copies: readonly Route[]) => [
  ...routes,
  ...copies.map((changes) => ({ ...routes[0], ...changes })),
];

/** `release.json` has copies of its first route with these changes. */
const moreRoutes = (...copies: readonly Route[]): Break => states(({ routes }) => ({ routes: copied(routes, copies) }));

/** `release.json` has more pages, with a style of this size each, in bytes. */
const pagesWithStyles = (count: number, size: number): Break =>
  states(({ files, routes }) => ({
    files: { ...files, ...described(numbered(count, (index) => [`${index}.css`, size])) },
    routes: copied(
      routes,
      numbered(count, (index) => ({ path: `/page-${index}`, files: [`${index}.css`] })),
    ),
  }));

/** The entry, which `release.json` describes, is sent with another content. */
const sendsEntry =
  (contentOf: (content: Buffer) => Buffer): Break =>
  (good) => {
    const { entry } = good.release;
    return new Map(sentOf(good)).set(entry, contentOf(good.files.get(entry) ?? Buffer.alloc(0)));
  };

/** More files are sent, and described. */
const sends =
  (files: Readonly<Record<string, Buffer>>, change: Change = {}): Break =>
  ({ release, files: former }, around) => {
    const added = Object.entries(files).map(([name, content]) => [name, fileEntry(content)] as const);
    const listed = { ...release, files: { ...release.files, ...Object.fromEntries(added) } };
    return sentOf({
      release: changed(listed, change, around),
      files: new Map([...former, ...Object.entries(files)]),
    });
  };

/** The first page has this HTML. */
const sendsFragment = (html: string): Break =>
  sends({ 'fragments/fault.html': Buffer.from(html) }, ({ routes: [first, ...others] }) => ({
    routes: [{ ...first, fragment: 'fragments/fault.html' }, ...others],
  }));

const { document, fileSize, files: maxFiles, name: maxName, routes: maxRoutes, size: maxSize } = releaseLimits;
const controls = '\u001b[2J\u202eevil\u0007';

const invalid = 'release.json is not valid:';
const route = `${invalid} routes[…]`;

/** What the team reads, with `…` for any text; how the fault is made; and its name, if it is not what the team reads. */
type Row = readonly [reported: string, make: Break, name?: string];
type Table = Readonly<Partial<Record<RejectionReason, readonly Row[]>>>;

/** What a site rejects, by the reason that it reports. */
const table: Table = {
  malformed: [
    [`${invalid} version “latest” must be …`, states({ version: 'latest' })],
    ['1111… has 313 characters; at most 200 are accepted', states({ version: `${'1'.repeat(300)}.0.0-00000000` })],
    [`${invalid} contract …`, states({ contract: '1' })],
    [`${invalid} entry: … expected string, received undefined`, states({ entry: undefined })],
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
      (file) => [`${invalid} files.${file}: Invalid key in record`, lists(file)] as const,
    ),
    ['two of its routes have the path /twice', moreRoutes({ path: '/twice' }, { path: '/twice' })],
    ...[releaseFileName, 'release.jws'].map(
      (file) => [`it lists ${file} among its files, which is its own`, lists(file)] as const,
    ),
    ['its file Release.JSON is release.json on a case-insensitive file system', lists('Release.JSON')],
    ['its file A.js is a.js on a case-insensitive file system', lists('a.js', 'A.js')],
    ['its file a is a folder of its file a/b.js', lists('a', 'a/b.js')],
    ['its file A/b is a folder of its file a/B/c/d.js', lists('a/B/c/d.js', 'A/b')],
    ['its file release.json is a folder of its file release.json/a.js', lists('release.json/a.js')],
    ['its file a/a/a/a/a/a/a/a/a/a.js is in more than 8 folders', lists(`${'a/'.repeat(9)}a.js`)],
    ['its files are in 101 folders; at most 100 are accepted', lists(...numbered(101, (each) => `${each}/a.js`))],
    [`${'a'.repeat(40)} … has 203 characters; at most 200 are accepted`, lists(`${'a'.repeat(maxName)}.js`)],
    ['and 980 more', lists(...numbered(1_000, (each) => `../${controls}\n${each}`))],
    [
      'release.json is not JSON: <!doctype html> <html lang="en"><head><t …',
      isText('<!doctype html>\n<html lang="en"><head><title>Not found</title>'),
    ],
    ['release.json is empty', isText('')],
    ['release.json is not JSON: {"name": "mf-le', isText('{"name": "mf-le')],
    [
      'release.json is not JSON: [2J evil',
      isText(controls),
      'release.json is not JSON: control characters of a terminal',
    ],
    ['release.json is not JSON: {}', isText('\ufeff{}'), 'release.json is not JSON: a byte order mark'],
    [`${invalid} it: Invalid input: …`, isText('null'), `${invalid} null`],
    ...['[]', '7', '"text"', '{}'].map(
      (json) => [`${invalid} …: Invalid input: …`, isText(json), `${invalid} ${json}`] as const,
    ),
  ],
  foreign: [['it is a release of mf-foreign', states({ name: 'mf-foreign' })]],
  contract: [
    ['it needs a newer shell: it is built for contract …, and this shell …', states({ contract: contractVersion + 1 })],
    ['it needs a newer shell: it is built for contract ….5, …', states({ contract: contractVersion + 0.5 })],
    [
      'it is too old for this shell: it is built for contract …; build and release it again',
      states({ contract: contractVersion - 1 }),
    ],
    ['it is too old for this shell: it is built for contract -1, …', states({ contract: -1 })],
    [
      'it needs a newer shell: …',
      states({ contract: contractVersion + 1, name: 1, routes: 1 }),
      'it needs a newer shell, whatever else it has',
    ],
    [
      'it is too old for this shell: …',
      states({ contract: contractVersion - 1, name: 1, routes: 1 }),
      'it is too old for this shell, whatever else it has',
    ],
  ],
  incomplete: [
    ['its entry gone.js is not among its files', states({ entry: 'gone.js' })],
    ['gone.js, which /other needs, is not among its files', moreRoutes({ path: '/other', files: ['gone.js'] })],
    ['gone.css, which /other needs, is not among its files', moreRoutes({ path: '/other', files: ['gone.css'] })],
    ['gone.html, which /other needs, is not among its files', moreRoutes({ path: '/other', fragment: 'gone.html' })],
  ],
  collision: [
    [
      'its route /… belongs to mf-…@…',
      states(({ routes }, { other }) => ({ routes: copied(routes, [{ path: other.routes[0]?.path }]) })),
      'it has the path of another remote',
    ],
  ],
  'version-reused': [
    [
      '… differs from the stored release of the same version; raise the version in mf-…/package.json',
      states((release, { active }) => ({ ...active, files: release.files, entry: release.entry })),
      'it has other files under a stored version',
    ],
    [
      '… differs from the stored release of the same version; …',
      states(({ files, entry }, { active }) => ({ ...active, files: { [active.entry]: files[entry] } })),
      'it has another file of the same name under a stored version',
    ],
    [
      '… differs from the stored release of the same version; …',
      states((_, { active }) => ({ ...active, routes: active.routes.map((each) => ({ ...each, title: 'Other' })) })),
      'it has other pages under a stored version',
    ],
  ],
  'too-large': [
    ['it has 2001 files; at most 2000 are accepted', lists(...numbered(maxFiles, (each) => `${each}.js`))],
    ['its file a.js has 20000001 bytes; at most 20000000 are accepted', listsSizes(['a.js', fileSize + 1])],
    ['its file a.js has 9007199254740991 bytes; …', listsSizes(['a.js', Number.MAX_SAFE_INTEGER])],
    [
      'it has 60… bytes; at most 60000000 are accepted',
      listsSizes(...numbered(maxSize / fileSize, (each) => [`${each}.js`, fileSize] as const)),
    ],
    [
      'it has 201 routes; at most 200 are accepted',
      states(({ routes }) => ({ routes: numbered(maxRoutes + 1, () => routes[0]) })),
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
    ['release.json has 300002 bytes; at most 300000 are accepted', isText('ü'.repeat(150_001))],
  ],
  tampered: [
    [
      'its file … does not match its SHA-384 in release.json',
      sendsEntry((content) => Buffer.from(content.map((byte, index) => (index === 0 ? byte ^ 1 : byte)))),
    ],
    ['its file … has … bytes instead of …', sendsEntry((content) => content.subarray(1))],
    [
      'its file … has more than the … bytes in release.json',
      sendsEntry((content) => Buffer.concat([content, content])),
    ],
  ],
  fragment: [
    ['… <p> has an inline style or event handler, …', sendsFragment('<p onclick="alert(1)">text</p>')],
    ['… it has <script>', sendsFragment('<p>text</p><script>alert(1)</script>')],
  ],
};

/** Faults that would take the time of a server that checks them naively. */
const heavyTable: Table = {
  fragment: [
    ['… more than …', sendsFragment('<a>'.repeat(330_000)), 'it has a fragment of 990 kB of <a>'],
    ['… more than …', sendsFragment('<p><b>'.repeat(160_000)), 'it has a fragment of nested elements'],
    [
      '… more than …',
      sendsFragment(`<p ${numbered(120_000, (each) => `a${each}`).join(' ')}></p>`),
      'it has a fragment of many attributes',
    ],
    ['… “</div>…', sendsFragment(`<p>text</p>${'</div>'.repeat(150_000)}`), 'it has a fragment of many end tags'],
  ],
  tampered: [
    [
      'its file a.js.gz is not its file a.js compressed',
      sends({ 'a.js': Buffer.from('a'), 'a.js.gz': gzipSync(Buffer.alloc(30_000_000)) }),
    ],
  ],
  malformed: [
    ['release.json is not …', isText('['.repeat(149_000) + ']'.repeat(149_000)), 'it has a release.json of brackets'],
    ['… must have 200 characters or fewer', firstRoute({ title: '<!--'.repeat(70_000) }), 'it has a title of 280 kB'],
    [
      '… must have 200 characters or fewer…',
      firstRoute({ path: `${'/a'.repeat(140_000)}!` }),
      'it has a path of 280 kB',
    ],
    ['its files are in 20… folders; at most 100 are accepted', lists(...numbered(200, (each) => `f${each}/a.js`))],
  ],
  'too-large': [
    ['release.json has 20… bytes; at most 300000 are accepted', firstRoute({ title: 'a'.repeat(2_000_000) })],
    ['it has 10000 files for one route; at most 100 are accepted', firstRoute({ files: Array(10_000).fill('a') })],
    ['it has 140000 routes; …', states({ routes: Array(140_000).fill(0) })],
    ['it has 20000 files; …', states({ files: Object.fromEntries(numbered(20_000, (each) => [each, 0])) })],
  ],
  incomplete: [[`its entry ${'a'.repeat(400)}…`, states({ entry: 'a'.repeat(280_000) }), 'it has an entry of 280 kB']],
};

const patternOf = (reported: string) =>
  new RegExp(`^${reported.replaceAll(/[^\w\s…]/g, '\\$&').replaceAll('…', '.*')}$`, 's');

const faultsOf = (rows: Table): readonly Fault[] =>
  Object.entries(rows).flatMap(([reason, ofReason]) =>
    ofReason.map(([reported, make, name = reported]) => ({
      name,
      reason: reason as RejectionReason,
      message: patternOf(reported),
      make,
    })),
  );

export const heavyFaults: readonly Fault[] = faultsOf(heavyTable);

/** Every fault of a release. */
export const faults: readonly Fault[] = [...faultsOf(table), ...heavyFaults];
