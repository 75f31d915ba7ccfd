import { describe, expect, test } from '@jest/globals';
import { resolveDevelopment } from './develop.ts';

const legal = { npm_package_name: 'mf-legal' };

describe('npm run dev', () => {
  test('develops the whole repository, one remote, or one remote in a running site', () => {
    expect(resolveDevelopment({}, { npm_package_name: 'daybook' })).toEqual({ remote: undefined });
    expect(resolveDevelopment({}, legal)).toEqual({ remote: 'mf-legal' });
    expect(resolveDevelopment({ site: 'https://daybook.example' }, legal)).toEqual({
      remote: 'mf-legal',
      site: 'https://daybook.example',
    });
  });

  test.each(['', 'daybook.example', 'ftp://daybook.example', 'file:///etc', 'https://daybook.example/terms'])(
    'rejects the site “%s” with an example',
    (site) => {
      expect(() => resolveDevelopment({ site }, legal)).toThrow(
        "--site needs the address of a site's home page: npm run dev -w mf-legal -- --site https://daybook.example",
      );
    },
  );

  test.each(['https://me:secret@daybook.example', 'https://daybook.example/?a', 'https://daybook.example/#a'])(
    'rejects the site %s, which is more than an origin',
    (site) => expect(() => resolveDevelopment({ site }, legal)).toThrow('--site needs'),
  );

  test('rejects a site without a remote, and an option that npm consumed', () => {
    const site = 'https://daybook.example';
    expect(() => resolveDevelopment({ site }, {})).toThrow(/^With --site, you develop one of mf-legal, /);
    expect(() => resolveDevelopment({}, { ...legal, npm_config_site: 'true' })).toThrow(
      'npm consumed --site; write: npm run dev -w mf-legal -- --site',
    );
  });
});
