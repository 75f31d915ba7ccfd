import { rejectedIntegrity } from '@daybook/contract/page';
import { expect, test } from '@jest/globals';
import { releaseOf } from '../test/registered.ts';
import { admitFiles, verifiedElement } from './integrity.ts';

const value = `sha384-${'C'.repeat(64)}`;
const folder = '/remotes/mf-news/1.0.0-00000001';
const repeated = (times: number) => `${value} sha384-${'A'.repeat(63)}${times}`;

const integrityOf = (url: string) => verifiedElement(document.createElement('link'), url).integrity;

admitFiles('mf-news', {
  ...releaseOf('mf-news'),
  integrity: { 'main.js': value, 'whole.js': value, 'css/a.css': value, 'bad.js': 'C' },
});

test('a verified element loads one file with the released integrity value', () => {
  for (const name of ['whole.js', 'css/a.css?x=1']) {
    const link = verifiedElement(document.createElement('link'), `http://localhost${folder}/${name}`);
    expect(link).toMatchObject({ href: `http://localhost${folder}/${name}`, integrity: value });
    expect(link.crossOrigin).toBe('anonymous');
  }
});

test('each repeated request has a different attribute, which allows no other content', () => {
  const script = () => verifiedElement(document.createElement('script'), `${folder}/main.js`).integrity;
  expect([1, 2, 3].map(script)).toEqual([value, repeated(1), repeated(2)]);
});

test('a release that is admitted again has another attribute than its preload', () => {
  const release = { ...releaseOf('mf-news'), integrity: { 'preloaded.js': value } };
  for (let times = 0; times < 2; times += 1) admitFiles('mf-news', release);
  expect(integrityOf(`${folder}/preloaded.js`)).toBe(repeated(1));
});

test.each([
  ['is not in the release', `${folder}/other.js`],
  ['is of another release', '/remotes/mf-news/1.0.0-00000002/main.js'],
  ['is of another remote', '/remotes/mf-other/1.0.0-00000001/main.js'],
  ['is on another site', `https://evil.example${folder}/main.js`],
  ['has a value that a browser would ignore', `${folder}/bad.js`],
])('the integrity value of a file that %s matches no file', (_what, address) => {
  expect(integrityOf(address)).toBe(rejectedIntegrity);
});
