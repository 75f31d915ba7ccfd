import { expect, test } from '@jest/globals';
import { changeRoute, insertRoute, routeText } from './insert-route.ts';

const added = "export default defineRemote({ routes: [{ path: '/new' }] });";
const insert = (source: string) => insertRoute(source, added, 'mf-legal/src/remote.ts').replaceAll(/\s+/g, ' ');

test('a route is added after the last one, and comments stay where they are', () => {
  const source = `// The “ü” is longer than a byte.
export default defineRemote({
  routes: [
    // Reviewed, yearly.
    { path: '/a' }, // the first, and last
  ],
});
`;
  expect(insert(source)).toBe(
    '// The “ü” is longer than a byte. export default defineRemote({ routes: [ ' +
      "// Reviewed, yearly. { path: '/a' }, // the first, and last { path: '/new' }, ], }); ",
  );
});

test.each([
  ["[{ path: '/a' } /* one, only */]", "[{ path: '/a' }, /* one, only */ { path: '/new' }, ]"],
  ["[{ path: '/a', routes: [] }]", "[{ path: '/a', routes: [] }, { path: '/new' }, ]"],
  ['[]', "[ { path: '/new' }, ]"],
  ['[ /* none yet */ ]', "[ /* none yet */ { path: '/new' }, ]"],
])('a route is added to %s', (routes, expected) => {
  expect(insert(`export default defineRemote({ routes: ${routes} });`)).toBe(
    `export default defineRemote({ routes: ${expected} });`,
  );
});

test('a source without a list of routes is rejected', () => {
  expect(() => insert('export default defineRemote({ routes: listed() });')).toThrow(
    'mf-legal/src/remote.ts has no list “routes: […]” to change. Declare the route there by hand.',
  );
});

test('the route of a path is found and replaced, whatever is around it', () => {
  const source =
    "// “ü”\nexport default defineRemote({ routes: [{ path: '/a', x: ['/b'] }, { title: '/b', path: '/b' } /* b */] });";
  const file = 'mf-legal/src/remote.ts';
  expect(routeText(source, '/b', file)).toBe("{ title: '/b', path: '/b' }");
  expect(changeRoute(source, '/b', '{ $& }', file)).toBe(source.replace("{ title: '/b', path: '/b' }", () => '{ $& }'));
  expect(() => routeText(source, '/c', file)).toThrow("mf-legal/src/remote.ts has no route with the path '/c'");
});
