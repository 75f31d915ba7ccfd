import { handWritten, type ReleaseVariant } from '@daybook/testing/releases';
import type { Route } from '@playwright/test';
import type { ChaosRun, Outcome } from './chaos-run.ts';
import { until } from './chaos-site.ts';
import type { ChaosCase } from './origin-cases.ts';

const filesOf = (run: ChaosRun, version: string, file: string) => `**/remotes/${run.remote}/${version}/${file}`;

/** A file of the active release fails on its way to the browser: the release before stands in, and the failure is counted. */
async function failsOnTheWay(run: ChaosRun, file: string, answer: (route: Route) => Promise<void>): Promise<Outcome> {
  const before = run.good;
  await run.releaseGood();
  const failing = run.good;
  const labels = { remote: run.remote, version: failing, kind: 'load' };
  const shown = await run.visit((visitor) => visitor.page.route(filesOf(run, failing, file), answer));
  if (shown.kind !== 'page' || shown.release !== `${run.remote}@${before}`)
    throw new Error(`showed ${shown.kind} ${shown.release} instead of ${run.remote}@${before}`);
  await until(
    'the failure is counted',
    async () => (await run.site.metric('daybook_remote_failures_total', labels)) > 0,
  );
  await run.othersWork();
  await run.showsLastGood();
  return { seen: 'previous release, counted', recovery: 'at once where the files arrive' };
}

/** A file of the active release fails on its way to the browser, and the page does without: the document has what is in it. */
async function isNotNeeded(run: ChaosRun, file: string, answer: (route: Route) => Promise<void>): Promise<Outcome> {
  await run.releaseGood();
  const shown = await run.visit((visitor) => visitor.page.route(filesOf(run, run.good, file), answer));
  if (shown.kind !== 'page' || shown.release !== `${run.remote}@${run.good}`)
    throw new Error(`showed ${shown.kind} ${shown.release} instead of ${run.remote}@${run.good}`);
  await run.othersWork();
  return { seen: 'the page itself', recovery: 'none needed' };
}

/** A release that is whole and wrong: it passes every check and fails in the browser. */
async function failsInside(run: ChaosRun, release: ReleaseVariant, kind: 'load' | 'render'): Promise<Outcome> {
  await run.releaseGood();
  const before = run.good;
  const { version } = release.release;
  run.offer(release);
  await run.site.untilActive(run.remote, version);
  await run.showsLastGood();
  const labels = { remote: run.remote, version, kind };
  await until(
    'the failure is counted',
    async () => (await run.site.metric('daybook_remote_failures_total', labels)) > 0,
  );
  await run.othersWork();
  await run.releaseGood();
  await run.showsLastGood();
  if (run.good === before) throw new Error('the next release was not taken');
  return { seen: 'previous release, counted', recovery: 'next release taken' };
}

const entryFile = (run: ChaosRun) => run.built.release.entry;
const pageChunk = (run: ChaosRun) => {
  const chunks = run.built.release.routes.find(({ path }) => path === run.path)?.files ?? [];
  const chunk = chunks.filter((file) => file.endsWith('.js')).at(-1);
  if (!chunk) throw new Error(`${run.path} has no chunk.`);
  return chunk;
};
const pageStyle = (run: ChaosRun) => {
  const files = run.built.release.routes.find(({ path }) => path === run.path)?.files ?? [];
  return files.find((file) => file.endsWith('.css')) ?? pageChunk(run);
};
const status = (code: number) => (route: Route) => route.fulfill({ status: code, body: 'chaos' });
const tampered = (route: Route) =>
  route.fulfill({ status: 200, contentType: 'text/javascript', body: 'document.title = "chaos";' });
/** Never answers; the browser gives up by the site's own limit. */
const hang = () => new Promise<void>(() => undefined);

/** The active release fails in the browser: the release before it stands in, in the same page. */
export const browserCases: readonly ChaosCase[] = [
  { name: 'entry 404', run: (run) => failsOnTheWay(run, entryFile(run), status(404)) },
  { name: 'entry 500', run: (run) => failsOnTheWay(run, entryFile(run), status(500)) },
  { name: 'entry tampered with', run: (run) => failsOnTheWay(run, entryFile(run), tampered) },
  { name: 'entry hangs', run: (run) => failsOnTheWay(run, entryFile(run), hang) },
  { name: 'chunk missing', run: (run) => failsOnTheWay(run, pageChunk(run), status(404)) },
  { name: 'style missing', run: (run) => isNotNeeded(run, pageStyle(run), status(404)) },
  {
    name: 'entry throws',
    run: (run) =>
      failsInside(
        run,
        run.next((content, file) => (file === entryFile(run) ? `throw new Error('chaos');${content}` : content)),
        'load',
      ),
  },
  {
    name: 'page throws at render',
    run: (run) =>
      failsInside(run, handWritten(run.built, run.nextVersion(), "() => { throw new Error('chaos'); }"), 'render'),
  },
  {
    name: 'page throws in an effect',
    run: (run) =>
      failsInside(
        run,
        handWritten(
          run.built,
          run.nextVersion(),
          "function Page() { React.useEffect(() => { throw new Error('chaos'); }); return React.createElement('p', null, 'chaos'); }",
        ),
        'render',
      ),
  },
];
