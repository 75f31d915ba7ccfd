import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  contractVersion,
  formerContractVersion,
  type Release,
  type ReleaseRoute,
  releaseFileName,
} from '@daybook/contract/release';
import {
  hashOfToken,
  newPreviewToken,
  type ReleaseSigner,
  type rejectionReasons,
  releaseLimits,
  signPreview,
  signRelease,
} from '@daybook/releases';
import { type Respond, type Served, servedOf } from './origin-server.ts';
import { describeFile, type ReleaseVariant } from './releases.ts';

// The releases and origins that a site must survive, each once. `packages/releases/test/faults.spec.ts` offers all of
// them to a mirror; tests of other levels take the few that show how their level uses it.

type Reason =
  | (typeof rejectionReasons)[number]
  | 'unreachable'
  | 'missing'
  | 'answer'
  | 'timeout'
  | 'disk-full'
  | 'read-only'
  | 'internal';

/** What a fault may need beside the release that it breaks. */
interface Surroundings {
  /** The release that stays active. */
  readonly active: Release;
  /** The active release of another remote. */
  readonly other: Release;
}

/** Makes a fault out of a good release: returns what its origin has. */
type Make = (good: ReleaseVariant, around: Surroundings) => Served;

/** A broken release or origin. */
interface FaultOf<Makes> {
  /** A sentence or its beginning: what operators read, if that says what the fault is. */
  readonly name: string;
  /** The metric's `reason` label. */
  readonly reason: Reason;
  /** What operators read. */
  readonly message: RegExp;
  readonly make: Makes;
}
export type Fault = FaultOf<Make>;

/** What is reported, with `…` for any text; how the fault is made; and its name, if it is not what is reported. */
type Row<From> = readonly [reported: string, from: From, name?: string];
type Rows<From> = Readonly<Partial<Record<Reason, readonly Row<From>[]>>>;

const patternOf = (reported: string) =>
  new RegExp(`^${reported.replaceAll(/[^\w\s…]/g, '\\$&').replaceAll('…', '.*')}$`, 's');

const faultsOf = <From, Makes>(rows: Rows<From>, makeOf: (from: From) => Makes): readonly FaultOf<Makes>[] =>
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
/** Describes a file of this name and size in bytes, which no origin has. */
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
/** Texts of `packages/template`, which each page has to replace. */
const templateTexts = {
  description: 'write here in a sentence what readers find on this page',
  purpose: 'The purpose of this page in one or two sentences.',
};
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
    [
      `${route} (/…).title “”: …; …; …; and 2 more`,
      moreRoutes(...numbered(5, (index) => ({ path: `/page-${index}`, title: '' }))),
    ],
    ...['../evil.js', '../../evil.js', '/etc/passwd', 'a/../../evil.js', 'a\\..\\evil.js', '.hidden', 'C:evil.js'].map(
      (file) => [`${invalid} files.${file}: Invalid key in record`, filesNamed(file)] as const,
    ),
    ['two of its routes have the path /twice', moreRoutes({ path: '/twice' }, { path: '/twice' })],
    ...[releaseFileName, 'release.jws', 'preview.jws'].map(
      (file) => [`it lists ${file} among its files, which is its description`, filesNamed(file)] as const,
    ),
    ['its file Release.JSON is release.json on a case-insensitive file system', filesNamed('Release.JSON')],
    ['its file A.js is a.js on a case-insensitive file system', filesNamed('a.js', 'A.js')],
    ['its file a is a folder of its file a/b.js', filesNamed('a', 'a/b.js')],
    ['its file A/b is a folder of its file a/B/c/d.js', filesNamed('a/B/c/d.js', 'A/b')],
    ['its file release.json is a folder of its file release.json/a.js', filesNamed('release.json/a.js')],
    ['its file a/a/a/a/a/a/a/a/a/a.js is in more than 8 folders', filesNamed(`${'a/'.repeat(9)}a.js`)],
    ['its files are in 101 folders; at most 100 are accepted', filesNamed(...numbered(101, (each) => `${each}/a.js`))],
    [`${'a'.repeat(40)} … has 203 characters; at most 200 are accepted`, filesNamed(`${'a'.repeat(maxName)}.js`)],
    [`${invalid} …; and 997 more`, filesNamed(...numbered(1_000, (each) => `../${controls}\n${each}`))],
  ],
  foreign: [['it is a release of mf-foreign', { name: 'mf-foreign' }]],
  contract: [
    ['it needs a newer shell: it is built for contract …, and this shell …', { contract: contractVersion + 1 }],
    ['it needs a newer shell: it is built for contract ….5, …', { contract: contractVersion + 0.5 }],
    [
      'it is too old for this shell: it is built for contract …; build and release it again',
      { contract: formerContractVersion - 1 },
    ],
    ['it is too old for this shell: it is built for contract -1, …', { contract: -1 }],
    [
      'it needs a newer shell: …',
      { contract: contractVersion + 1, name: 1, routes: 1 },
      'it needs a newer shell, whatever else it has',
    ],
    [
      'it is too old for this shell: …',
      { contract: formerContractVersion - 1, name: 1, routes: 1 },
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
    servedOf({ ...good, release: changed(good.release, change, around) });

/** What stands in place of `release.json`. */
const texts: Rows<string> = {
  malformed: [
    [
      'http://127.0.0.1:…/release.json is not JSON: <!doctype html> <html lang="en"><head><t …',
      '<!doctype html>\n<html lang="en"><head><title>Not found</title>',
    ],
    ['http://127.0.0.1:…/release.json is not JSON: ', ''],
    ['http://127.0.0.1:…/release.json is not JSON: {"name": "mf-le', '{"name": "mf-le'],
    [
      'http://127.0.0.1:…/release.json is not JSON: [2J evil',
      controls,
      'http://127.0.0.1:…/release.json is not JSON: control characters of a terminal',
    ],
    [
      'http://127.0.0.1:…/release.json is not JSON: {}',
      '\ufeff{}',
      'http://127.0.0.1:…/release.json is not JSON: a byte order mark',
    ],
    [`${invalid} it: Invalid input: …`, 'null', `${invalid} null`],
    ...['[]', '7', '"text"', '{}'].map(
      (json) => [`${invalid} …: Invalid input: …`, json, `${invalid} ${json}`] as const,
    ),
  ],
  answer: [['…release.json is larger than 300000 bytes', 'ü'.repeat(150_001)]],
};

const withText =
  (text: string): Make =>
  (good) =>
    new Map(servedOf(good)).set(releaseFileName, text);

/** Replaces a file that `release.json` describes. */
const withEntry =
  (contentOf: (content: Buffer) => Buffer | Respond): Make =>
  (good) => {
    const { entry } = good.release;
    return new Map(servedOf(good)).set(entry, contentOf(good.files.get(entry) ?? Buffer.alloc(0)));
  };

/** Adds files, which `release.json` describes. */
const withFiles =
  (files: Readonly<Record<string, Buffer>>, change: Change = {}): Make =>
  ({ release, files: former }, around) => {
    const described = Object.entries(files).map(([name, content]) => [name, describeFile(content)] as const);
    const listed = { ...release, files: { ...release.files, ...Object.fromEntries(described) } };
    const all = new Map([...former, ...Object.entries(files)]);
    return servedOf({ release: changed(listed, change, around), files: all });
  };

/** Gives a release's first page this HTML. */
const withFragment = (html: string) =>
  withFiles({ 'fragments/fault.html': Buffer.from(html) }, firstRoute({ fragment: 'fragments/fault.html' }));

const endless: Respond = (response) => {
  const write = () => {
    while (!response.destroyed && response.write(Buffer.alloc(60_000, ' ')));
    if (!response.destroyed) response.once('drain', write);
  };
  write();
};

/** What an origin has under the names that `release.json` lists. */
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

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}, body = ''): Respond =>
  (response) =>
    response.writeHead(code, headers).end(body);

const sorry = '<html>sorry</html>';

/** Sends a byte now and then, and never ends. */
function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 10);
  response.once('close', () => clearInterval(timer));
}

/** How an origin responds to any request. */
const responses: Rows<Respond> = {
  missing: [403, 404, 410].map((code) => [`it responded with ${code} for …`, status(code, {}, sorry)]),
  answer: [
    ...[304, 500, 503].map(
      (code) => [`it responded with ${code} for …`, status(code, {}, code === 304 ? '' : sorry)] as const,
    ),
    ...[301, 302, 307, 308].map(
      (code) => [`it responded with ${code} for …`, status(code, { Location: '/elsewhere' })] as const,
    ),
  ],
  timeout: [
    ['it did not respond within … s', () => undefined],
    [
      'it did not respond within … s',
      (response) => response.writeHead(200).write(' '),
      'it begins to respond and stalls',
    ],
  ],
  unreachable: [
    [
      'it closed the connection',
      (response) => response.writeHead(200, { 'Content-Length': 100 }).write(' ', () => response.destroy()),
    ],
    ['incorrect header check', status(200, { 'Content-Encoding': 'gzip' }, 'not packed')],
    [
      'it closed the connection',
      ({ socket }) => socket?.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
      'it switches protocols',
    ],
    [
      'it sent too many informational responses',
      ({ socket }) => socket?.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)),
    ],
  ],
};

/** How an origin responds to the request of `release.json`. */
const descriptionResponses: Rows<Respond> = {
  malformed: [
    [
      '…/release.json is not JSON: <!doctype …',
      status(200, { 'Content-Type': 'text/html' }, '<!doctype html><title>Parked'),
      'its release.json is a page',
    ],
  ],
  answer: [['its release.json is larger than 300000 bytes', endless, 'its release.json never ends']],
  timeout: [['it did not respond within … s', drip, 'it sends a byte of release.json now and then']],
};

/** How an origin responds to the request of a file. */
const fileResponses: Rows<Respond> = {
  tampered: [['its file … has more than the … bytes in release.json', endless, 'its file never ends']],
  answer: [
    [
      'it sent more framing than content of …',
      ({ socket }) => {
        socket?.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
        socket?.write('1\r\na\r\n'.repeat(200_000));
      },
    ],
  ],
};

const toDescription =
  (respond: Respond): Make =>
  (good) =>
    new Map(servedOf(good)).set(releaseFileName, respond);
const toFile = (respond: Respond) => withEntry(() => respond);
/** A file of several MB, which is no reason to be rejected, behind which a response may go on. */
const inLargeFile =
  (respond: Respond): Make =>
  (good, around) =>
    new Map(withFiles({ 'large.js': Buffer.alloc(1_000_000) })(good, around)).set('large.js', respond);

/** Adds to the names of faults which file is affected. */
const named = <Makes>(what: string, found: readonly FaultOf<Makes>[]): readonly FaultOf<Makes>[] =>
  found.map((fault) => ({ ...fault, name: `${what}: ${fault.name}` }));

/** Faults that would take the time of a server that checks them naively. */
export const heavyFaults: readonly Fault[] = [
  ...faultsOf<Make, Make>(
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
        [
          '… is not finished: …',
          withFragment(`<p>${templateTexts.purpose}</p>`),
          'it has a page with a text of the template',
        ],
      ],
      tampered: [
        [
          'its file … has more than the … bytes in release.json',
          withEntry(() => endless),
          'it has a file that never ends',
        ],
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
  ...faultsOf<Change, Make>(
    {
      malformed: [
        ['the description of /… is not finished: …', firstRoute({ description: templateTexts.description })],
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
        ['it has 10000 files for one route; at most 100 are accepted', firstRoute({ files: Array(10_000).fill('a') })],
        ['it has 140000 routes; …', { routes: Array(140_000).fill(0) }],
        ['it has 20000 files; …', { files: Object.fromEntries(numbered(20_000, (each) => [each, 0])) }],
      ],
      answer: [['… release.json is larger than 300000 bytes', firstRoute({ title: 'a'.repeat(2_000_000) })]],
      incomplete: [[`its entry ${'a'.repeat(400)}…`, { entry: 'a'.repeat(280_000) }, 'it has an entry of 280 kB']],
    },
    changing,
  ),
];

/** Every fault of a release and of an origin over HTTP. */
export const faults: readonly Fault[] = [
  ...faultsOf(statements, changing),
  ...faultsOf(texts, withText),
  ...faultsOf(contents, (make) => make),
  ...named(releaseFileName, [...faultsOf(responses, toDescription), ...faultsOf(descriptionResponses, toDescription)]),
  ...named('a file', [...faultsOf(responses, toFile), ...faultsOf(fileResponses, inLargeFile)]),
  ...heavyFaults,
];

/** Returns a fault by its name. */
export function faultNamed(name: string): Fault {
  const found = faults.find((fault) => fault.name === name);
  if (!found) throw new Error(`There is no fault “${name}”.`);
  return found;
}

/** What may be in a folder where a file is expected; the file is removed before. */
const places: Rows<(place: string) => unknown> = {
  missing: [['…/release/re… is missing', () => undefined]],
  answer: [
    ['…/release/re… is not a file', (place) => mkdirSync(place), 'a folder'],
    ['…/release/re… is not a file', (place) => execFileSync('mkfifo', [place]), 'a pipe without a writer'],
    ['… leads out of its folder', (place) => symlinkSync('/dev/zero', place), 'a symlink to an endless device'],
    [
      '… leads out of its folder',
      (place) => {
        writeFileSync(path.join(place, '../../secret'), 'secret');
        symlinkSync('../secret', place);
      },
      'a symlink to a secret',
    ],
  ],
  unreachable: [['ELOOP: …', (place) => symlinkSync(path.basename(place), place), 'a symlink to itself']],
};

/** Changes the folder of a good release, which is below a folder of the test. */
type Damage = (folder: string, good: Release) => unknown;
const replacing =
  (nameOf: (good: Release) => string) =>
  (make: (place: string) => unknown): Damage =>
  (folder, good) => {
    const place = path.join(folder, nameOf(good));
    rmSync(place);
    make(place);
  };

const writing =
  (description: string | Buffer): Damage =>
  (folder) =>
    writeFileSync(path.join(folder, releaseFileName), description);

/** Every fault of a folder that is an origin. */
export const folderFaults: readonly FaultOf<Damage>[] = [
  ...named(
    'release.json',
    faultsOf(
      places,
      replacing(() => releaseFileName),
    ),
  ),
  ...named(
    'a file',
    faultsOf(
      places,
      replacing(({ entry }) => entry),
    ),
  ),
  ...faultsOf<Damage, Damage>(
    {
      missing: [['…/release.json is missing', (folder) => rmSync(folder, { recursive: true }), 'no folder']],
      answer: [
        ['… is larger than 300000 bytes', writing(Buffer.alloc(300_001)), 'a byte too many'],
        ['… is larger than 300000 bytes', writing('ü'.repeat(150_001)), 'few enough characters of too many bytes'],
        ['… is larger than 300000 bytes', (folder) => truncateSync(path.join(folder, releaseFileName), 30e9), '30 GB'],
      ],
      malformed: [['…/release.json is not JSON: {}', writing('\ufeff{}'), 'a byte order mark']],
    },
    (make) => make,
  ),
];

/** What a fault of signatures may need. */
interface Signatures extends Surroundings {
  readonly team: ReleaseSigner;
  readonly otherTeam: ReleaseSigner;
  /** When the active release was signed, in ms since the epoch: more than two hours ago. */
  readonly signedAt: number;
}

const [second, hour, day] = [1_000, 3_600_000, 86_400_000];

/** Returns what the origin of a signed release has. */
export async function signedOf(
  good: ReleaseVariant,
  signer: ReleaseSigner,
  signedAt: number,
  name = good.release.name,
): Promise<Served> {
  const text = JSON.stringify(good.release);
  return new Map(servedOf(good)).set('release.jws', await signRelease(text, name, signer, signedAt));
}

type MakeSigned = (good: ReleaseVariant, around: Signatures) => Promise<Served>;

/** Replaces what stands in `release.jws`. */
const withSigned =
  (change: (signed: string, release: Release) => string | Promise<string>): MakeSigned =>
  async (good, { team }) => {
    const served = await signedOf(good, team, Date.now());
    return new Map(served).set('release.jws', await change(String(served.get('release.jws')), good.release));
  };

/** Faults of an origin in the hands of others, who also have what its team has published. */
export const signedFaults: readonly FaultOf<MakeSigned>[] = faultsOf<MakeSigned, MakeSigned>(
  {
    tampered: [
      [
        'its file … does not match its SHA-384 in release.json',
        async (good, { team }) =>
          new Map(await signedOf(good, team, Date.now())).set(
            good.release.entry,
            Buffer.alloc(good.release.files[good.release.entry]?.size ?? 0),
          ),
      ],
    ],
    collision: [
      [
        'its route /… belongs to mf-…@…',
        (good, { team, other: { routes } }) =>
          signedOf({ ...good, release: { ...good.release, routes } }, team, Date.now()),
      ],
    ],
    missing: [['it responded with 404 for release.jws', async () => new Map()]],
    signature: [
      ['it is not signed; npm run release signs it and writes release.jws', async (good) => servedOf(good)],
      ['release.jws does not begin with a signature', withSigned((_, release) => JSON.stringify(release))],
      [
        'its release.json was changed after it was signed',
        withSigned((signed, release) => `${signed.split('\n')[0]}\n${JSON.stringify({ ...release, author: 'Eve' })}`),
      ],
      [
        "it is signed with a key that is not one of …'s: …",
        (good, { otherTeam }) => signedOf(good, otherTeam, Date.now()),
      ],
      [
        "it is signed with a key that is not one of …'s: …",
        ({ release, files }, { otherTeam }) =>
          signedOf({ release: { ...release, name: 'mf-other' }, files }, otherTeam, Date.now()),
        'it is the signed release of another team',
      ],
      ['its signature is for mf-other', (good, { team }) => signedOf(good, team, Date.now(), 'mf-other')],
      [
        'its signature expired on 2…; release it again',
        (good, { team }) => signedOf(good, team, Date.now() - 401 * day),
      ],
      [
        'its signature is of …, which is in the future; check the clocks',
        (good, { team }) => signedOf(good, team, Date.now() + day),
      ],
      [
        'its signature of … is older than that of … of …, which was seen before; release it again, or …',
        (good, { team, signedAt }) => signedOf(good, team, signedAt - second),
      ],
      [
        'its signature of … is older than that of …',
        ({ files }, { team, signedAt, active }) => signedOf({ release: active, files }, team, signedAt - hour),
        'it is the active release with an earlier signature of its own',
      ],
      [
        'its signature is of the same second as that of 1.0.1-…; release it again',
        (good, { team, signedAt }) => signedOf(good, team, signedAt),
      ],
      [
        'its signature is not valid: …',
        async (good, { team }) => {
          const { name } = good.release;
          const preview = signPreview(JSON.stringify(good.release), name, hashOfToken(newPreviewToken()), team);
          return new Map(servedOf(good)).set('release.jws', await preview);
        },
        'its signature is that of a preview',
      ],
    ],
  },
  (make) => make,
);
