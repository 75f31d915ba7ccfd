import { expect, test } from '@jest/globals';
import { remoteOf } from '../test/registered.ts';
import { readRemoteIndex } from './known-releases.ts';

const remote = remoteOf('mf-news', ['/news']);
const previous = { ...remote, version: '0.9.0-00000000' };

test('a remote index is read as it is, with the preview that it shows', () => {
  const index = { remotes: [{ ...remote, previous }], missing: ['mf-other'] };
  expect(readRemoteIndex(index)).toEqual(index);
  const previewed = { ...index, preview: 'mf-news@1.0.0-00000000' };
  expect(readRemoteIndex(previewed)).toEqual(previewed);
  expect(readRemoteIndex({ ...index, missing: ['mf-other', 7], preview: 7 })).toEqual(index);
});

test.each([undefined, null, 'a text', [], {}, { remotes: {} }])('%j is no remote index', (value) => {
  expect(readRemoteIndex(value)).toBeUndefined();
});

test.each([
  ['no name', { name: undefined }],
  ['no version', { version: 7 }],
  ['no entry', { entry: undefined }],
  ['no list of routes', { routes: undefined }],
  ['routes of another form', { routes: [{ paths: [] }] }],
  ['a route that is nothing', { routes: [null] }],
  ['integrity values in a list', { integrity: [] }],
  ['integrity values of another form', { integrity: { 'a.js': { toString: 1 } } }],
  ['a previous release of another form', { previous: {} }],
  ['a previous release that is nothing', { previous: null }],
])('a remote with %s is left out, but no other one', (_what, changes) => {
  const index = readRemoteIndex({ remotes: [{ ...remote, ...changes }, remote, null, 'a text'] });
  expect(index).toEqual({ remotes: [remote], missing: [] });
});
