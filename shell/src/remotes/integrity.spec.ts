import { rejectedIntegrity, verifiedElementName } from '@daybook/contract/page';
import { describe, expect, test } from '@jest/globals';
import { releaseOf } from '../test/registered.ts';
import { admitFiles, provideVerifiedElements, verifiedElement } from './integrity.ts';

const value = `sha384-${'C'.repeat(64)}`;
const folder = '/remotes/mf-news/1.0.0-00000001';

const integrityOf = (url: string) => verifiedElement(document.createElement('link'), url).integrity;

admitFiles('mf-news', {
  ...releaseOf('mf-news'),
  integrity: { 'main.js': value, 'whole.js': value, 'again.js': value, 'css/a.css': value, 'bad.js': 'C' },
});

describe('the integrity value of a file', () => {
  test.each([`${folder}/main.js`, `http://localhost${folder}/whole.js`, `${folder}/css/a.css?x=1`])(
    '%s is the released one',
    (address) => {
      expect(integrityOf(address)).toBe(value);
    },
  );

  test('is a different attribute for each repeated request, which allows no other content', () => {
    const attributes = [1, 2, 3].map(() => integrityOf(`${folder}/again.js`));
    expect(attributes).toEqual([value, `${value} sha384-${'A'.repeat(63)}1`, `${value} sha384-${'A'.repeat(63)}2`]);
  });

  test('is a different attribute for a first request after the release is admitted again, so not for a stalled preload', () => {
    const integrity = { 'preloaded.js': value };
    const release = { ...releaseOf('mf-news'), integrity };
    admitFiles('mf-news', release);
    admitFiles('mf-news', release);
    expect(integrityOf(`${folder}/preloaded.js`)).toBe(`${value} sha384-${'A'.repeat(63)}1`);
  });

  test.each([
    ['is not in the release', `${folder}/other.js`],
    ['is of another release', '/remotes/mf-news/1.0.0-00000002/main.js'],
    ['is of another remote', '/remotes/mf-other/1.0.0-00000001/main.js'],
    ['is on another site', `https://evil.example${folder}/main.js`],
    ['has a value that a browser would ignore', `${folder}/bad.js`],
    ['is called as what every object has', `${folder}/__proto__`],
  ])('of a file that %s matches no file', (_what, address) => {
    expect(integrityOf(address)).toBe(rejectedIntegrity);
  });
});

describe('a verified element', () => {
  test.each(['script', 'link'] as const)('loads one file, a %s, with an integrity value that counts', (name) => {
    const element = verifiedElement(document.createElement(name), `${folder}/main.js`);
    expect(element).toMatchObject({ [name === 'script' ? 'src' : 'href']: `http://localhost${folder}/main.js` });
    expect([element.crossOrigin, element.integrity]).toEqual(['anonymous', expect.stringMatching(`^${value}`)]);
  });

  test('is available to every bundler runtime, and cannot be replaced', () => {
    provideVerifiedElements();
    expect(Reflect.get(globalThis, verifiedElementName)).toBe(verifiedElement);
    expect(Reflect.set(globalThis, verifiedElementName, () => value)).toBe(false);
  });
});
