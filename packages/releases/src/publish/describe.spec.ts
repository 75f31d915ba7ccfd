import { expect, test } from '@jest/globals';
import { describePublished } from './describe.ts';

const release = { name: 'mf-legal', version: '1.0.1-00000002' };
const text = 'The result on the site.';
const inspect = 'inspect:    npm run releases -- show mf-legal';
const previewed = [
  '            for 7 days; whoever has it sees the whole site with this release',
  'activate:   npm run releases -- activate mf-legal 1.0.1-00000002',
  'end:        npm run releases -- preview mf-legal --end',
];

test.each<[string, Parameters<typeof describePublished>, readonly string[]]>([
  [
    'a rollback if visitors have the release',
    [release, { text, isActive: true }],
    [inspect, 'roll back:  npm run releases -- rollback mf-legal --why "…"'],
  ],
  ['no rollback if the release only waits', [release, { text }], [inspect]],
  [
    'the link of a preview on the site',
    [release, { text }, 'token', 'https://daybook.example'],
    ['link:       https://daybook.example/_preview/token', ...previewed],
  ],
  [
    'the path of a preview if the site is not known',
    [release, { text }, 'token'],
    ['link:       /_preview/token, after the address of the site', ...previewed],
  ],
])('the summary of what was published suggests %s', (_what, parameters, lines) => {
  expect(describePublished(...parameters)).toBe([text, ...lines].map((line) => `  ${line}`).join('\n'));
});
