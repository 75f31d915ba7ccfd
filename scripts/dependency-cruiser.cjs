// Allowed dependencies between folders; ARCHITECTURE.md has the reasons.
const forbid = (name, from, to) => ({ name, severity: 'error', from, to });

/** Each of these folders imports only those before it. */
const inOrder = (parent, folders, pathNot = []) =>
  folders.slice(0, -1).map((folder, index) => {
    const later = folders.slice(index + 1).join('|');
    const name = `${parent}${folder}-imports-what-is-before-it`.replaceAll('/', '-');
    return forbid(name, { path: `^${parent}${folder}/`, pathNot }, { path: `^${parent}(?:${later})/` });
  });

const spec = '\\.spec\\.tsx?$';
const backendFeatures = 'database metrics http outbox waitlist privacy-requests retention health operator';
/** What pages may import of the contract's API. */
const apiOfPages = '(?:calls|email|privacy-choices)\\.ts$';
const ofServers =
  '^packages/(?:server|contract)/src/|node_modules/(?:commander|fastify|ipaddr\\.js|pino|pino-pretty|zod)/';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    forbid('no-cycles', {}, { circular: true }),
    forbid(
      'contract-imports-zod-only',
      { path: '^packages/contract/src/', pathNot: spec },
      { pathNot: ['^packages/contract/src/', 'node_modules/zod/', '^(?:node:)?crypto$'] },
    ),
    // zod is 15 kB. Types of schemas are fine.
    forbid(
      'pages-load-no-schemas',
      {
        path: ['^(?:mf-[^/]+|packages/platform)/src/', `^packages/contract/src/api/${apiOfPages}`],
        pathNot: `${spec}|/test(?:ing)?/`,
      },
      {
        path: `^packages/contract/src/api/(?!${apiOfPages})|node_modules/zod/`,
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'releases-need-contract-and-server-alone',
      { path: '^packages/releases/src/', pathNot: `${spec}|/test/` },
      { path: '^packages/(?!releases/|contract/|server/)|^(?:shell|mf-[^/]+|backend|scripts|e2e)/' },
    ),
    forbid(
      'only-the-store-knows-postgresql',
      { path: '^shell/server/', pathNot: `^shell/server/(?:releases/store\\.ts|test/)|${spec}` },
      { path: 'node_modules/pg/' },
    ),
    forbid(
      'releases-know-no-http',
      { path: '^shell/server/releases/', pathNot: spec },
      { path: 'node_modules/(?:fastify|@fastify/[^/]+)/' },
    ),
    forbid(
      'what-servers-share-needs-little',
      { path: '^packages/server/src/', pathNot: spec },
      { pathNot: ofServers, dependencyTypesNot: ['core'] },
    ),
    // It needs Node, so it must not be sent to browsers; commands share its argument parser.
    forbid(
      'what-servers-share-stays-on-servers',
      { pathNot: '^(?:packages/(?:server|releases|testing)/src|shell/server|backend|scripts)/' },
      { path: '^packages/server/src/' },
    ),
    forbid(
      'ui-knows-no-platform',
      { path: '^packages/ui/' },
      { path: '^packages/(?:platform|build)/|^shell/|^backend/|^mf-' },
    ),
    forbid(
      'platform-knows-no-ui',
      { path: '^packages/platform/' },
      { path: '^packages/(?:ui|build)/|^shell/|^backend/|^mf-' },
    ),
    // Teams release remotes independently.
    forbid(
      'remotes-are-islands',
      { path: '^mf-([^/]+)/' },
      { path: '^(?:mf-|shell/|backend/|scripts/|e2e/)', pathNot: '^mf-$1/' },
    ),
    forbid('shell-reaches-remotes-at-run-time-only', { path: '^shell/' }, { path: '^(?:mf-|backend/|scripts/|e2e/)' }),
    forbid(
      'shell-browser-and-server-are-apart',
      { path: '^shell/(src|server)/' },
      { path: '^shell/(?:src|server)/', pathNot: '^shell/$1/' },
    ),
    // app.ts passes features what they need, and in development what development/ adds.
    forbid(
      'shell-server-features-are-below-their-composition',
      { path: '^shell/server/[^/]+/', pathNot: [spec, '^shell/server/(?:development|test)/'] },
      { path: '^shell/server/(?:development/|(?:app|main)\\.ts$)' },
    ),
    ...inOrder('shell/server/', ['releases', 'pages', 'publish', 'operators'], [spec]),
    ...inOrder('shell/src/', ['remotes', 'navigation', 'pages', 'router', 'first-page'], [spec]),
    forbid(
      'backend-depends-on-contract-and-server',
      { path: '^backend/src/', pathNot: spec },
      { path: '^(?:packages/(?!contract/|server/)|mf-|shell/|scripts/|e2e/)' },
    ),
    forbid(
      'backend-features-by-their-index',
      { path: '^backend/src/([^/]+)/' },
      { path: '^backend/src/[^/]+/.+', pathNot: ['^backend/src/$1/', '^backend/src/[^/]+/index\\.ts$'] },
    ),
    ...inOrder('backend/src/', backendFeatures.split(' ')),
    forbid(
      'backend-features-are-below-their-composition',
      { path: '^backend/src/(?!operator/)[^/]+/' },
      { path: '^backend/src/(?:app\\.module|create-app|entities|main|migrate)\\.ts$' },
    ),
    forbid(
      'build-is-for-configurations',
      { path: '^(?:packages|shell|mf-[^/]+|backend)/', pathNot: ['rspack\\.config\\.ts$', '^packages/build/'] },
      { path: '^packages/build/' },
    ),
    forbid(
      'the-product-knows-no-testing',
      { path: '^(?:packages/(?!testing/)|shell/|mf-[^/]+/|backend/src/)', pathNot: `${spec}|/test/` },
      { path: '^(?:packages/testing|e2e|scripts)/' },
    ),
    // What tests of several workspaces need belongs in packages/testing.
    forbid(
      'test-setup-is-of-its-workspace',
      { path: '^(packages/[^/]+|[^/]+)/' },
      { path: '^(?:packages/[^/]+|[^/]+)/(?:src/|server/)?test/', pathNot: '^$1/' },
    ),
    forbid(
      'testing-is-below-its-users',
      { path: '^(?:packages/testing|backend/test)/' },
      { path: '^(?:e2e|scripts|mf-[^/]+)/' },
    ),
    forbid('e2e-and-scripts-are-apart', { path: '^e2e/' }, { path: '^scripts/' }),
    forbid(
      'only-what-package.json-names',
      { pathNot: `${spec}|/test(?:ing)?/` },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/|^(?:mf-[^/]+|shell|backend)/build/|^mf-offers/guide/' },
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.css', '.md'],
    },
    preserveSymlinks: false,
  },
};
