import { describe, expect, test } from '@jest/globals';
import { describePublished } from './describe.ts';

const release = { name: 'mf-legal', version: '1.0.1-00000002' };

describe('the summary of a published release', () => {
  test('suggests a rollback if visitors have the release', () => {
    expect(describePublished(release, { text: 'Visitors got it.', isActive: true })).toBe(
      `  Visitors got it.
  inspect:    npm run releases -- show mf-legal
  roll back:  npm run releases -- rollback mf-legal --why "…"`,
    );
  });

  test('suggests no rollback if the release only waits', () => {
    const text = 'http://127.0.0.1:8080 has stored it. It waits until the remote is unpinned.';
    expect(describePublished(release, { text })).toBe(`  ${text}\n  inspect:    npm run releases -- show mf-legal`);
  });
});

describe('the summary of a published preview', () => {
  test('has the link on the site, and names the next commands', () => {
    expect(describePublished(release, { text: 'It is shown.' }, 'token', 'https://daybook.example')).toBe(
      `  It is shown.
  link:       https://daybook.example/_preview/token
              for 7 days; whoever has it sees the whole site with this release
  activate:   npm run releases -- activate mf-legal 1.0.1-00000002
  end:        npm run releases -- preview mf-legal --end`,
    );
  });

  test('has the path if the site is not known', () => {
    expect(describePublished(release, { text: '' }, 'token')).toContain(
      'link:       /_preview/token, after the address of the site',
    );
  });
});
