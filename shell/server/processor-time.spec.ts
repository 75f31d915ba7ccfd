import { maxUrlLength } from '@daybook/server';
import { fastest } from '@daybook/testing/processor-time';
import { type Sent, send } from '@daybook/testing/send';
import { worstJson, worstRuns, worstValues } from '@daybook/testing/worst-texts';
import { beforeAll, expect, jest, test } from '@jest/globals';
import { bearer, startRunningSite, twoRemotes } from './test/running-site.ts';

/** Maximum processor time of a request in ms, the test's own included: sending takes about 1 ms. */
const maxTime = 20;
const maxRounds = 25;

const { url } = await startRunningSite({
  releases: twoRemotes,
  variables: { TRUSTED_PROXIES: '2' },
  backendCalls: (backend) => backend.all('/api/*', () => ({})),
});

jest.setTimeout(240_000);

/** Sends requests one after the other; returns those that take too long, or whose response is an error of the server. */
async function faultsOf(requests: Iterable<readonly [name: string, path: string, sent: Sent]>) {
  const faults: Record<string, string> = {};
  for (const [name, path, sent] of requests) {
    let status = 0;
    const time = await fastest(async () => ({ status } = await send(url, path, sent)), maxTime, maxRounds);
    if (time >= maxTime || status >= 500) faults[name] = `${time} ms of processor time, status ${status}`;
  }
  return faults;
}

// The first requests are compiled, and pages are composed and compressed.
beforeAll(async () => {
  for (const path of ['/', '/terms', '/nothing', '/registry.json', '/_releases'])
    for (let count = 0; count < 10; count += 1) await send(url, path);
});

test('no header takes long', async () => {
  const names = `Accept Accept-Encoding Accept-Language Authorization Cache-Control Connection Cookie Forwarded
    If-Modified-Since If-None-Match Origin Range Referer User-Agent X-Forwarded-For X-Forwarded-Host
    X-Forwarded-Proto X-Request-Id`;
  const paths = ['/', '/assets/nothing.0a1b2c3d.js', '/_releases', '/api/x'];
  function* requests() {
    for (const [index, header] of names.split(/\s+/).entries())
      for (const [number, [name, fill]] of Object.entries(worstRuns).entries())
        yield [
          `${header}: ${name}`,
          String(paths[(index + number) % paths.length]),
          { headers: { [header]: fill(31_000).replaceAll('\n', ' ') } },
        ] as const;
  }
  expect(await faultsOf(requests())).toEqual({});
});

test('no address takes long', async () => {
  const starts = ['/', '/?', '/assets/', '/remotes/mf-legal/', '/_preview/', '/_releases?', '/api/', '/terms'];
  function* requests() {
    for (const start of starts) {
      for (const [name, fill] of Object.entries(worstRuns))
        yield [`${start} ${name}`, start + fill(maxUrlLength - start.length).replaceAll(/[^!-~]/g, ''), {}] as const;
      for (const [name, fill] of Object.entries(worstValues))
        yield [`${start} ${name}`, start + encodeURIComponent(fill(1_200).toWellFormed()), {}] as const;
    }
  }
  expect(await faultsOf(requests())).toEqual({});
});

test('no body takes long', async () => {
  const types = [
    'application/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
  ];
  function* requests() {
    for (const path of ['/_reports', '/_releases/api/changes', '/_releases/api/mf-legal/releases', '/terms', '/api/x'])
      for (const type of types)
        for (const length of [900, 10_000])
          for (const [name, fill] of Object.entries(type === 'application/json' ? worstJson : worstRuns))
            yield [
              `${path} ${type} ${name} ${length}`,
              path,
              { method: 'POST', headers: { 'Content-Type': type, ...bearer('operator') }, body: fill(length) },
            ] as const;
  }
  expect(await faultsOf(requests())).toEqual({});
});
