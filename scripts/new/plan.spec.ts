import path from 'node:path';
import { templateTexts } from '@daybook/releases/publish';
import { remotes } from '@daybook/runner/workspaces';
import { UsageError } from '@daybook/server/command-line';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseSync } from '@swc/core';
import * as fc from 'fast-check';
import { loadDefinitions, planPage, planRemote } from './plan.ts';
import type { Definitions, Plan } from './planned.ts';

let definitions: Definitions;
beforeAll(async () => {
  definitions = await loadDefinitions();
});

/** Files outside the new remote's folder that a plan may change. */
const shared = [
  'docker-compose.yml',
  '.env.example',
  'deploy/swarm/stack.yml',
  'deploy/kubernetes/base/kustomization.yaml',
  'deploy/kubernetes/example/kustomization.yaml',
  '.github/CODEOWNERS',
];

/** Plans, or returns undefined if the words are rejected; any other error fails the test. */
function planned(plan: () => Plan): Plan | undefined {
  try {
    return plan();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return undefined;
  }
}

const hostile = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('..', '.', '/', '\\', 'mf-', 'help', '-', '$&', '(', '*', '\n', '\0', 'A', '7', '%2e'))
    .map((parts) => parts.join('')),
);
const isBelow = (folder: string) => (file: string) =>
  file === path.normalize(file) && file.startsWith(`${folder}/`) && /^[\w./-]+$/.test(file);

describe('npm run new-remote', () => {
  test('plans a folder from the template and an entry in each list', () => {
    const { remote, page, created, changed } = planRemote('help-center', undefined, definitions);
    expect([remote, page]).toEqual(['mf-help-center', '/help-center']);
    expect([...created.keys()].sort()).toEqual(
      [
        'README.md',
        'kustomization.yaml',
        'package.json',
        'rspack.config.ts',
        'src/pages/help-center-page.module.css',
        'src/pages/help-center-page.spec.tsx',
        'src/pages/help-center-page.tsx',
        'src/remote.ts',
        'tsconfig.json',
      ].map((file) => `mf-help-center/${file}`),
    );
    const all = [...created.values()].join('');
    expect(all).not.toMatch(/template/i);
    for (const text of templateTexts) expect(all).toContain(text);
    expect(created.get('mf-help-center/src/pages/help-center-page.tsx')).toContain('function HelpCenterPage()');
    expect([...changed.keys()].sort()).toEqual([...shared].sort());
    expect(changed.get('.github/CODEOWNERS')).toContain('\n/mf-help-center/ @daybook/help-center\n');
    expect(changed.get('docker-compose.yml')).toContain('${MF_HELP_CENTER_VERSION:-');
  });

  test('fills names that contain those of the template', () => {
    const { created } = planRemote('my-templates', '/template/my-template-page', definitions);
    const page = created.get('mf-my-templates/src/pages/template-my-template-page-page.tsx');
    expect(page).toContain('/** /template/my-template-page */\nexport default function TemplateMyTemplatePagePage()');
  });

  test.each(['', 'mf-', 'Help', '../help', 'help center', 'help-', '7help', '$&', 'a'.repeat(41)])(
    'rejects the name %p',
    (name) =>
      expect(() => planRemote(name, undefined, definitions)).toThrow(/^The name “.*” is not a remote's\. Write /s),
  );

  test('rejects the name of an existing remote', () => {
    for (const name of ['legal', 'mf-legal', 'template'])
      expect(() => planRemote(name, undefined, definitions)).toThrow(
        `The name “${name}” is taken. Choose another name.`,
      );
  });

  test('rejects a path as new-page does', () => {
    expect(() => planRemote('help', '/terms', definitions)).toThrow('The path “/terms” is a page of mf-legal already.');
    expect(() => planRemote('api', undefined, definitions)).toThrow('The path “/api” is reserved for the shell server');
  });

  test('writes nothing outside its folder and the lists, whatever it is called with', () => {
    fc.assert(
      fc.property(hostile, fc.option(hostile, { nil: undefined }), (name, page) => {
        const plan = planned(() => planRemote(name, page, definitions));
        if (!plan) return;
        expect(remotes).not.toContain(plan.remote);
        expect([...plan.created.keys()].filter((file) => !isBelow(plan.remote)(file))).toEqual([]);
        expect([...plan.changed.keys()].filter((file) => !shared.includes(file))).toEqual([]);
      }),
    );
  });
});

describe('npm run new-page', () => {
  test('plans a page, its test, its route and its budget', () => {
    const { created, changed } = planPage('mf-legal', '/cookie-choices', definitions);
    expect([...created.keys()].sort()).toEqual([
      'mf-legal/src/pages/cookie-choices-page.module.css',
      'mf-legal/src/pages/cookie-choices-page.spec.tsx',
      'mf-legal/src/pages/cookie-choices-page.tsx',
    ]);
    expect([...changed.keys()]).toEqual(['mf-legal/src/remote.ts', 'mf-legal/package.json']);
    expect(changed.get('mf-legal/src/remote.ts')).toContain("page: './pages/cookie-choices-page.tsx'");
    expect(changed.get('mf-legal/package.json')).toContain('"/cookie-choices": 3000\n');
  });

  test.each([
    ['cookie-choices', 'must begin with / and have only lower-case letters, digits, hyphens'],
    ['/cookie/', 'must begin with / and have only lower-case letters, digits, hyphens'],
    ['/../cookie', 'must begin with / and have only lower-case letters, digits, hyphens'],
    ['/api/cookie', 'is reserved for the shell server'],
    ['/terms', 'is a page of mf-legal already'],
    ['/unsubscribe', 'is a page of mf-privacy already'],
  ])('rejects the path %p: it %s', (page, reason) => {
    expect(() => planPage('mf-legal', page, definitions)).toThrow(`The path “${page}” ${reason}`);
  });

  test('plans a text in Markdown, a page of a sponsor, and the move of a page, as the remote has them', () => {
    const files = (...words: Parameters<typeof planPage>) => [...planPage(...words).created.keys()];
    expect(files('mf-legal', '/press', definitions, { text: true })).toEqual([
      'mf-legal/content/press.md',
      'mf-legal/src/pages/press-page.tsx',
      'mf-legal/src/pages/press-page.spec.tsx',
    ]);
    expect(files('mf-offers', '/offer-landing/solar-panels', definitions)).toEqual([
      'mf-offers/src/pages/solar-panels-page.tsx',
      'mf-offers/src/pages/solar-panels-page.spec.tsx',
    ]);
    expect(() => planPage('mf-privacy', '/press', definitions, { text: true })).toThrow(
      'mf-privacy has no pages of Markdown; mf-legal has. Leave out --text.',
    );
  });

  test('plans a move: the new owner gets the page and takes it over, the former one keeps and hands it over', () => {
    const { created, changed, next } = planPage('mf-offers', '/', definitions, { move: true });
    expect([...created.keys()]).toEqual(
      ['src/pages/home-page.tsx', 'src/pages/home-page.module.css', 'src/pages/home-page.spec.tsx'].map(
        (file) => `mf-offers/${file}`,
      ),
    );
    expect(changed.get('mf-offers/src/remote.ts')).toMatch(
      /\{ takenFrom: 'mf-signup',\s+path: '\/',[^}]* page: '\.\/pages\/home-page\.tsx'/,
    );
    expect(changed.get('mf-signup/src/remote.ts')).toMatch(/\{ movesTo: 'mf-offers',\s+path: '\/',/);
    expect(next?.map((step) => /(?:release|delete) .*?mf-\w+/.exec(step)?.[0]).filter(Boolean)).toEqual([
      'release mf-signup',
      'release mf-offers',
      'delete the page in mf-signup',
    ]);
    expect(next?.[0]).toContain('home-page.tsx imports ');
    for (const [remote, page, reason] of [
      ['mf-signup', '/', 'is a page of mf-signup already'],
      ['mf-legal', '/nowhere', 'is no page of the site'],
    ] as const)
      expect(() => planPage(remote, page, definitions, { move: true })).toThrow(reason);
  });

  test('plans the move of every page of the site, whatever its title and description say', () => {
    for (const { routes } of definitions.values())
      for (const { path: page } of routes) {
        // Two remotes have a page that is being moved.
        const without = [...definitions].find(([, each]) => !each.routes.some((route) => route.path === page));
        const [remote = ''] = without ?? [];
        const { changed } = planPage(remote, page, definitions, { move: true });
        for (const [file, text] of changed)
          if (file.endsWith('.ts')) expect(() => parseSync(text, { syntax: 'typescript' })).not.toThrow();
      }
  });

  test('rejects an unknown remote and names the known ones', () => {
    expect(() => planPage('legal', '/cookie-choices', definitions)).toThrow(
      'There is no remote “legal”; there are mf-legal, mf-offers, mf-privacy, mf-signup.',
    );
  });

  test('writes nothing outside the folder of its remote, whatever it is called with', () => {
    fc.assert(
      fc.property(
        hostile.map((text) => `/${text}`),
        (page) => {
          const plan = planned(() => planPage('mf-legal', page, definitions));
          const files = [...(plan?.created.keys() ?? []), ...(plan?.changed.keys() ?? [])];
          expect(files.filter((file) => !isBelow('mf-legal')(file))).toEqual([]);
        },
      ),
    );
  });
});
