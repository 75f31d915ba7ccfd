import { type PageData, pageDataElementId } from '@daybook/contract/page';
import type { PublicRegistry } from '@daybook/contract/release';
import { eventually } from '@daybook/testing/eventually';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { integrity, releaseOf, routeOf } from '../../../packages/releases/src/test/temporary-site.ts';
import { operatorToken } from '../test/operator.ts';
import { type RunningSite, startRunningSite } from '../test/running-site.ts';
import { send } from '../test/send.ts';

const [first, second] = ['1.0.0-00000001', '1.0.1-00000002'];
const file = { integrity, size: 7 };
const legal = releaseOf('mf-legal', {
  routes: [routeOf('/terms')],
  files: { 'remoteEntry.00000001.js': file, 'remoteEntry.00000001.js.br': file, 'terms.00000001.css': file },
});
const entry = 'remoteEntry.00000002.js';

let running: RunningSite;
beforeAll(async () => {
  running = await startRunningSite({
    prepare: (site) => {
      site.release(legal);
      site.release(releaseOf('mf-signup', { routes: [routeOf('/')] }));
    },
    variables: { OPERATOR_TOKEN: operatorToken },
  });
  running.site.release({ ...legal, version: second, entry, files: { [entry]: file } });
  await eventually(async () => expect(remoteOf(await registry(), 'mf-legal').version).toBe(second));
});
afterAll(() => running.stop());

const get = (headers = {}) => send(running.address, '/registry.json', { headers });
const registry = async (): Promise<PublicRegistry> => JSON.parse((await get()).text);
function remoteOf({ remotes }: PublicRegistry, name: string) {
  const remote = remotes.find((each) => each.name === name);
  if (!remote) throw new Error(`${name} is not in the registry`);
  return remote;
}
async function inlined(path: string): Promise<PublicRegistry> {
  const { text } = await send(running.address, path);
  const json = new RegExp(`id="${pageDataElementId}">(.*?)</script>`).exec(text)?.[1] ?? '';
  return (JSON.parse(json) as PageData).registry;
}

describe('the current registry', () => {
  test('has each release and its fallback with their integrity values', async () => {
    const { version, integrity: values, previous } = remoteOf(await registry(), 'mf-legal');
    const value = expect.stringMatching(/^sha384-/);
    expect({ version, values, previous }).toEqual({
      version: second,
      values: { [entry]: value },
      previous: {
        version: first,
        entry: `/remotes/mf-legal/${first}/remoteEntry.00000001.js`,
        integrity: { 'remoteEntry.00000001.js': value, 'terms.00000001.css': value },
      },
    });
  });

  test('is revalidated each time, with a 304 if unchanged', async () => {
    const { status, headers } = await get();
    expect([status, headers['cache-control']]).toEqual([200, 'no-cache, no-transform']);
    expect(headers['content-type']).toMatch(/^application\/json/);
    const { etag } = headers;
    const again = await get({ 'If-None-Match': `"other", ${etag}` });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
    expect((await get({ 'If-None-Match': '"other"' })).status).toBe(200);
  });
});

describe('the registry in a page', () => {
  test('has only the integrity values of the page’s own remote, and no fallback releases', async () => {
    for (const path of ['/terms', '/', '/nowhere'])
      expect((await inlined(path)).remotes.map(({ previous }) => previous)).toEqual([undefined, undefined]);
    const page = await inlined('/terms');
    expect(Object.keys(remoteOf(page, 'mf-legal').integrity ?? {})).toEqual([entry]);
    expect(remoteOf(page, 'mf-signup').integrity).toBeUndefined();
  });
});
