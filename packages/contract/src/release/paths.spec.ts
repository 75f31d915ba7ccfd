import { expect, test } from '@jest/globals';
import { pathConflicts, redirectProblems } from './paths.ts';
import { findRoute, redirectOf } from './remote-index.ts';

const claims = (name: string, paths: readonly string[], redirects?: Record<string, string>) => ({
  name,
  version: '1',
  routes: paths.map((path) => ({ path, title: 'Title', description: 'Text', frame: 'site' as const, files: [] })),
  ...(redirects && { redirects }),
});

const help = claims('mf-help', ['/help', '/faq'], { '/old-help': '/help' });

test.each<[string, readonly string[], Record<string, string>, readonly string[]]>([
  ['paths of its own', ['/terms'], { '/old': '/terms' }, []],
  ['a page of another remote', ['/terms', '/faq'], {}, ['/faq of mf-legal@1 belongs to mf-help@1.']],
  ['a redirect from such a page', ['/terms'], { '/faq': '/terms' }, ['/faq of mf-legal@1 belongs to mf-help@1.']],
  ['a page at such a redirect', ['/old-help'], {}, ['/old-help of mf-legal@1 is a redirect of mf-help@1.']],
  ['the same redirect', [], { '/old-help': '/help' }, ['/old-help of mf-legal@1 is a redirect of mf-help@1.']],
])('conflicts of a release with %s are named', (_what, paths, redirects, expected) => {
  expect(pathConflicts(claims('mf-legal', paths, redirects), [help])).toEqual(expected);
});

test.each<[string, Record<string, string>, string | undefined]>([
  ['to a page', { '/old': '/new' }, undefined],
  ['to a page of another remote', { '/old': '/help' }, undefined],
  ['to nowhere', { '/old': '/gone' }, 'It redirects /old to /gone, which is no page of the site.'],
  ['to itself', { '/old': '/old' }, 'It redirects /old to /old, which is a redirect itself; name the last page.'],
  ['from one of its pages', { '/terms': '/new' }, 'It redirects /terms, which is one of its pages.'],
  [
    'in a chain',
    { '/a': '/b', '/b': '/new' },
    'It redirects /a to /b, which is a redirect itself; name the last page.',
  ],
])('a redirect %s is accepted or explained', (_what, redirects, problem) => {
  const [found] = redirectProblems(claims('mf-legal', ['/new', '/terms'], redirects), [help]);
  expect(found).toBe(problem);
});

const remotes = [
  claims('mf-signup', ['/']),
  claims('mf-legal', ['/terms', '/cookie-policy'], { '/rules': '/terms' }),
].map((remote) => ({ ...remote, entry: '' }));

test.each([
  ['/rules', '/terms'],
  ['/rules?id=7&x=%ZZ#fees', '/terms?id=7&x=%ZZ#fees'],
  ['/rules#a?b', '/terms#a?b'],
  ...['/rules/', '//rules', '/terms', '/__proto__', '/toString', ''].map((path) => [path, undefined] as const),
])('the path %p leads to %p', (path, target) => {
  expect(redirectOf({ remotes }, path)).toBe(target);
});

test.each([
  ['/', 'mf-signup'],
  ['/cookie-policy', 'mf-legal'],
  ...['', '/terms/more', '/terms/', '//terms', '/TERMS', '/__proto__'].map((path) => [path, undefined] as const),
])('the path %p is a page of %p', (path, owner) => {
  expect(findRoute({ remotes, missing: [] }, path)?.remote.name).toBe(owner);
});
