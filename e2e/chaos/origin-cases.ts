import type { ReleaseVariant } from '@daybook/testing/releases';
import type { ChaosRun, Outcome } from './chaos-run.ts';
import { faults } from './faulty-origin.ts';

/** A way to fail, and what has to become of it. */
export interface ChaosCase {
  readonly name: string;
  run(run: ChaosRun): Promise<Outcome>;
}

/** The release with its description changed. */
const described = (variant: ReleaseVariant, changes: object): ReleaseVariant => ({
  ...variant,
  release: { ...variant.release, ...changes },
});

function anyPageFile({ release }: ReleaseVariant): string {
  const file = release.routes[0]?.files[0];
  if (!file) throw new Error(`${release.name} has a page without files.`);
  return file;
}

const without = (files: ReleaseVariant['release']['files'], file: string) =>
  Object.fromEntries(Object.entries(files).filter(([name]) => name !== file));

/** An origin, or what it offers, is wrong: the last good release stays. */
export const originCases: readonly ChaosCase[] = [
  {
    name: 'origin down',
    async run(run) {
      const origin = run.site.origin(run.remote);
      await origin.stop();
      const seen = await run.showsLastGood();
      await run.othersWork();
      await origin.start();
      await run.releaseGood();
      return { seen, recovery: 'next release taken' };
    },
  },
  { name: 'release.json 404', run: (run) => run.refuses(run.next(), faults.status(404), 'missing') },
  { name: 'release.json 503', run: (run) => run.refuses(run.next(), faults.status(503), 'answer') },
  { name: 'release.json is HTML', run: (run) => run.refuses(run.next(), faults.html(), 'malformed') },
  { name: 'release.json cut off', run: (run) => run.refuses(run.next(), faults.cutOff(), 'unreachable') },
  { name: 'release.json hangs', run: (run) => run.refuses(run.next(), faults.hang(), 'timeout') },
  {
    name: 'a file missing',
    run(run) {
      const release = run.next();
      return run.refuses(release, faults.status(404, anyPageFile(release)), 'missing');
    },
  },
  {
    name: 'a file tampered with',
    run(run) {
      const release = run.next();
      return run.refuses(release, faults.tamper(anyPageFile(release)), 'tampered');
    },
  },
  {
    name: 'a file larger than said',
    run(run) {
      const release = run.next();
      return run.refuses(release, faults.grow(anyPageFile(release)), 'tampered');
    },
  },
  {
    name: 'a file too large',
    run(run) {
      const release = run.next();
      const { entry, files } = release.release;
      const huge = { ...files, [entry]: { ...files[entry], size: 1_000_000_000 } };
      return run.refuses(described(release, { files: huge }), undefined, 'too-large');
    },
  },
  {
    name: '../ in a file name',
    run(run) {
      const release = run.next();
      const { files, entry } = release.release;
      return run.refuses(
        described(release, { files: { ...files, '../../evil.js': files[entry] } }),
        undefined,
        'malformed',
      );
    },
  },
  {
    name: 'wrong contract',
    run: (run) => run.refuses(described(run.next(), { contract: 99 }), undefined, 'contract'),
  },
  {
    name: 'colliding route',
    run(run) {
      const release = run.next();
      const [other] = [...run.site.origins.keys()].filter((name) => name !== run.remote);
      const path = run.site.built.get(other ?? '')?.release.routes[0]?.path;
      const routes = [...release.release.routes, { ...release.release.routes[0], path }];
      return run.refuses(described(release, { routes }), undefined, 'collision');
    },
  },
  {
    name: 'entry not in the release',
    run(run) {
      const release = run.next();
      const { files, entry } = release.release;
      return run.refuses(described(release, { files: without(files, entry) }), undefined, 'incomplete');
    },
  },
  {
    name: "a page's chunk not in the release",
    run(run) {
      const release = run.next();
      const files = without(release.release.files, anyPageFile(release));
      return run.refuses(described(release, { files }), undefined, 'incomplete');
    },
  },
];
