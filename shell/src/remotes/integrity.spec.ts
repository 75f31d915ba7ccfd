import { integrityLookupName, refusedIntegrity } from '@daybook/contract';
import { describe, expect, test } from '@jest/globals';
import { releaseOf } from '../test/registered.ts';
import { admitFiles, integrityOf, provideIntegrity } from './integrity.ts';

const value = `sha384-${'C'.repeat(64)}`;
const folder = '/remotes/mf-news/1.0.0-00000001';

admitFiles('mf-news', { ...releaseOf('mf-news'), integrity: { 'main.js': value, 'css/a.css': value, 'bad.js': 'C' } });

describe('the integrity value of a file', () => {
  test.each([`${folder}/main.js`, `${folder}/css/a.css`, `http://localhost${folder}/main.js`, `${folder}/main.js?x=1`])(
    '%s is the one of its release',
    (address) => {
      expect(integrityOf(address)).toBe(value);
    },
  );

  test.each([
    ['is not in the release', `${folder}/other.js`],
    ['is of another release', '/remotes/mf-news/1.0.0-00000002/main.js'],
    ['is of another remote', '/remotes/mf-other/1.0.0-00000001/main.js'],
    ['is on another site', `https://evil.example${folder}/main.js`],
    ['has a value that a browser would ignore', `${folder}/bad.js`],
    ['is called as what every object has', `${folder}/__proto__`],
  ])('of a file that %s is one that no file has', (_what, address) => {
    expect(integrityOf(address)).toBe(refusedIntegrity);
  });

  test('can be asked for by every remote, and not be replaced', () => {
    provideIntegrity();
    expect(Reflect.get(globalThis, integrityLookupName)).toBe(integrityOf);
    expect(Reflect.set(globalThis, integrityLookupName, () => value)).toBe(false);
  });
});
