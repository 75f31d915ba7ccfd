import { randomBytes } from 'node:crypto';
import { expect, test } from '@playwright/test';
import type { OwnSite } from '../support/own-site.ts';
import { createTemporaryProject, runScript, startSiteOf, type TemporaryProject } from './temporary-project.ts';

// One project for all: each test changes it and changes it back.
test.describe.configure({ mode: 'default' });

let project: TemporaryProject;
let site: OwnSite;
test.beforeAll(async () => {
  project = createTemporaryProject();
  site = await startSiteOf(project);
});
test.afterAll(async () => {
  await site.stop();
  project.remove();
});

const page = 'src/pages/press-page.tsx';
const pageOf = (markup: string, before = '', imports = '') =>
  `${imports}export default function PressPage() {\n${before}  return (\n    <>\n      <h1>Press</h1>\n${markup}    </>\n  );\n}\n`;
const useEffectImport = `import { useEffect } from 'react';\n\n`;

const definition = 'src/remote.ts';
const route = (routePath: string) => `    {
      path: '${routePath}',
      title: 'Press',
      description: 'Facts and pictures for journalists.',
      frame: 'site',
      page: () => import('./pages/press-page.tsx'),
    },
`;
const routes = (...paths: readonly string[]) => `import { defineRemote } from '@daybook/platform/define-remote';

export default defineRemote({
  name: 'mf-press',
  routes: [
${paths.map(route).join('')}  ],
});
`;

/** What breaks a release: the changed files, and the message about it. */
const broken: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
  [
    'throws while it renders',
    { [page]: pageOf('', `  if (Date.now() > 0) throw new Error('No facts.');\n`) },
    /^The page of the route \/press of mf-press can't be rendered: Error: No facts\. \(mf-press\/src\/pages\/press-page\.tsx:2:29\)$/,
  ],
  [
    'throws in an effect',
    {
      [page]: pageOf(
        '',
        `  useEffect(() => {\n    if (document.getElementById('daybook-page')) throw new Error('No facts.');\n  }, []);\n`,
        useEffectImport,
      ),
    },
    /^\/press: console error: Error: No facts\. \(mf-press\/src\/pages\/press-page\.tsx:5:\d+\)$/,
  ],
  [
    'has a picture without a text alternative',
    { [page]: pageOf('      <img src="/favicon.svg" />\n') },
    /^mf-press\/src\/pages\/press-page\.tsx:5:7: Provide a text alternative .* \(lint\/a11y\/useAltText\)$/,
  ],
  [
    'has text with too little contrast',
    {
      [page]: pageOf(
        '      <p className={styles.faint}>Facts</p>\n',
        '',
        `import styles from './press-page.module.css';\n\n`,
      ),
      'src/pages/press-page.module.css': '.faint {\n  color: light-dark(#bbb, #eee);\n}\n',
    },
    /^\/press: <p> “Facts” has contrast 1\.\d+:1; 4\.5:1 is needed \(color-contrast\)$/,
  ],
  [
    'takes a path of another remote',
    { [definition]: routes('/press', '/terms') },
    /^The site would reject mf-press@1\.0\.0-\w{8}: its route \/terms belongs to mf-legal@[\w.-]+\. Give the page another path, or move it: docs\/teams\.md$/,
  ],
  [
    'declares a path twice',
    { [definition]: routes('/press', '/press') },
    /^The site would reject mf-press@1\.0\.0-\w{8}: two of its routes have the path \/press\.$/,
  ],
  [
    'takes a path of the API',
    { [definition]: routes('/api/press') },
    /^mf-press\/src\/remote\.ts: routes\[0\]\.path “\/api\/press” is reserved for the shell server\.$/,
  ],
  [
    'has an inline event handler',
    {
      [page]: pageOf(
        `      <div dangerouslySetInnerHTML={{ __html: '<button type="button" onclick="print()">Print</button>' }} />\n`,
      ),
    },
    /^The page of the route \/press of mf-press can't become part of a document: <button> has an inline style or event handler, which the site's security policy ignores\.$/,
  ],
  [
    'is 400 kB too large',
    {
      [page]: pageOf('      <p>{new Set(facts).size}</p>\n', '', `import { facts } from './facts.ts';\n\n`),
      'src/pages/facts.ts': `export const facts =\n  '${randomBytes(400_000).toString('base64')}';\n`,
    },
    /^mf-press\/package\.json: \/press weighs 40\d,\d{3} bytes, \d{3},\d{3} over its budget of 3,000\. Make it lighter, or raise the budget: "\/press": \d+$/,
  ],
  [
    'bundles its own React',
    {
      [page]: pageOf(
        '      <p>{useState(0)[0]}</p>\n',
        '',
        `import { useState } from '../../../node_modules/react/cjs/react.production.js';\n\n`,
      ),
    },
    /^mf-press contains its own copy of react, but a page can have only the shell's: hooks fail with two\. Import “react”, “react\/jsx-runtime” and “react-dom” by these names only, no file or other entry of them\.$/,
  ],
];

for (const [what, files, message] of broken) {
  test(`a release that ${what} is rejected with one line`, async () => {
    const before = new Map(
      Object.keys(files).map((file) => [file, project.has(file) ? project.read(file) : undefined]),
    );
    for (const [file, text] of Object.entries(files)) project.write(file, text);
    const { code, output } = await runScript(project, 'release', ['--dry-run', '--site', site.address]);
    for (const [file, text] of before) {
      if (text === undefined) project.remove(file);
      else project.write(file, text);
    }
    expect(code).toBe(1);
    expect(output).toMatch(/\n {2}✗ /);
    expect(output).toContain('\nNothing was published.\n');
    // All else that is printed, without the steps and npm's own lines.
    const known = /^(?:npm |> |Releasing | {2}[✓✗] | {2}! no git|Nothing was published\.|$)/;
    const lines = output.split('\n').filter((line) => !known.test(line));
    expect(lines).toEqual([expect.stringMatching(message)]);
  });
}
