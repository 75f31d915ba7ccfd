import { findRoute } from '@daybook/contract/release';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { remoteOf } from '../test/registered.ts';
import { admitFiles, entryScript } from './integrity.ts';
import { readRegistry } from './known-releases.ts';

const remote = remoteOf('mf-news', ['/news']);
const previous = { ...remote, version: '0.9.0-00000000' };

/** A remote in which some properties have values of any form. */
const damaged = fc
  .record(
    Object.fromEntries(
      ['name', 'version', 'entry', 'integrity', 'routes', 'previous'].map((key) => [key, fc.jsonValue()]),
    ),
    { requiredKeys: [] },
  )
  .map((changes) => ({ ...remote, ...changes }));

describe('reading a registry', () => {
  test('returns a registry as it is', () => {
    const registry = { remotes: [{ ...remote, previous }], missing: ['mf-other'] };
    expect(readRegistry(registry)).toEqual(registry);
    const previewed = { ...registry, preview: 'mf-news@1.0.0-00000000' };
    expect(readRegistry(previewed)).toEqual(previewed);
    expect(readRegistry({ ...registry, preview: 7 })).toEqual(registry);
  });

  test.each([undefined, null, 'a text', [], {}, { remotes: {} }])('rejects %j', (value) => {
    expect(readRegistry(value)).toBeUndefined();
  });

  test.each([
    ['no name', { name: undefined }],
    ['routes of another form', { routes: [{ paths: [] }] }],
    ['no list of routes', { routes: undefined }],
    ['no entry', { entry: undefined }],
    ['integrity values of another form', { integrity: { 'a.js': { toString: 1 } } }],
    ['a previous release of another form', { previous: {} }],
  ])('leaves out a remote with %s, but no other one', (_what, changes) => {
    const registry = readRegistry({ remotes: [{ ...remote, ...changes }, remote, null] });
    expect(registry).toEqual({ remotes: [remote], missing: [] });
  });

  test('of any form results in one that the page can use', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.record({ remotes: fc.array(fc.oneof(damaged, fc.jsonValue())), missing: fc.jsonValue() }),
    );
    fc.assert(
      fc.property(value, (any) => {
        const registry = readRegistry(any) ?? { remotes: [], missing: [] };
        expect(registry.missing.every((name) => typeof name === 'string')).toBe(true);
        findRoute(registry, '/nowhere');
        for (const { name, ...release } of registry.remotes) {
          for (const each of [release, release.previous]) if (each) admitFiles(name, each);
          entryScript(remote.entry);
        }
      }),
    );
  });
});
