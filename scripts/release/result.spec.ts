import { describe, expect, test } from '@jest/globals';
import { failureText, resultText } from './result.ts';

const [former, next] = ['1.0.0-00000001', '1.0.0-00000002'];
const site = 'https://daybook.example';
const pushed = { name: 'mf-legal', version: next, site, changed: new Set(['/terms']), at: ` --site ${site}` };
const command = (words: string) => `npm run releases -- ${words} --site ${site}`;
const inspect = `  inspect:    ${command('show mf-legal')}`;
const activate = `  activate:   ${command(`activate mf-legal ${next}`)}`;
const changed = `  changed:    ${site}/terms`;

describe('the result of a release has what visitors get and the next commands', () => {
  test.each<[string, object, readonly string[]]>([
    [
      'active',
      { outcome: 'deployed', overview: { active: next, previous: former } },
      [changed, inspect, `  roll back:  ${command('rollback mf-legal --why "…"')}`],
    ],
    ['the first release', { outcome: 'deployed', overview: { active: next } }, [changed, inspect]],
    [
      'a canary',
      { outcome: 'deployed', overview: { active: former, canary: { version: next } } },
      [changed, activate, `  end:        ${command('end mf-legal canary')}`, inspect],
    ],
    ['held', { outcome: 'held', overview: { active: former } }, [activate, inspect]],
    ['rolled back before', { outcome: 'known', overview: { active: former } }, [activate, inspect]],
  ])('%s', (_what, response, lines) => {
    expect(resultText({ lines: ['The site says so.'], ...response }, pushed).split('\n')).toEqual([
      'The site says so.',
      ...lines,
    ]);
  });

  test('a preview has its link, unless the site already had that release', () => {
    const overview = { active: former, preview: { version: next } };
    const preview = { ...pushed, token: 'token' };
    expect(resultText({ outcome: 'deployed', overview }, preview).split('\n')).toEqual([
      `  link:       ${site}/_preview/token`,
      '              for 7 days; whoever has it sees the whole site with this release',
      activate,
      `  end:        ${command('end mf-legal preview')}`,
      inspect,
    ]);
    expect(resultText({ outcome: 'known', overview: { active: next } }, preview)).toBe(inspect);
  });
});

test.each([
  [{ active: next, stored: [] }, `mf-legal@${next} is published: all visitors get it.`],
  [{ active: former, stored: [{ version: next }] }, `mf-legal@${next} is stored; visitors get ${former}.`],
  [{ active: former, stored: [{ version: former }] }, 'Nothing was published.'],
  [
    undefined,
    `It is not known whether mf-legal@${next} was published. Repeat the command: publishing twice changes nothing.`,
  ],
])('a push that failed is described by what the site has: %j', (overview, text) => {
  expect(failureText('mf-legal', next, overview)).toBe(text);
});
