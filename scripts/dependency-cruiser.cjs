// Allowed dependencies between folders; ARCHITECTURE.md has the reasons.
const remotes = '^mf-([^/]+)/';

/** The features of the shell server: each imports only those before it. */
const shellServerFolders = ['releases', 'pages', 'publish', 'operators'];

/** The folders of the shell in the browser: each imports only those before it. */
const shellBrowserFolders = ['remotes', 'navigation', 'pages', 'router', 'first-page'];

/** The features of the backend: each imports only those before it. */
const backendFolders = [
  'database',
  'metrics',
  'http',
  'outbox',
  'waitlist',
  'privacy-requests',
  'retention',
  'health',
  'operator',
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'contract-imports-zod-only',
      severity: 'error',
      from: { path: '^packages/contract/src/', pathNot: '\\.spec\\.ts$' },
      to: { pathNot: ['^packages/contract/src/', 'node_modules/zod/', '^(?:node:)?crypto$'] },
    },
    {
      name: 'pages-load-no-schemas',
      comment: 'zod is 15 kB. Types of schemas are fine.',
      severity: 'error',
      from: {
        path: [
          '^(?:mf-[^/]+|packages/platform)/src/',
          '^packages/contract/src/api/(?:calls|email|privacy-choices)\\.ts$',
        ],
        pathNot: '\\.spec\\.tsx?$|/test(?:ing)?/',
      },
      to: {
        path: '^packages/contract/src/api/(?!(?:calls|email|privacy-choices)\\.ts$)|node_modules/zod/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'releases-need-contract-and-server-alone',
      severity: 'error',
      from: { path: '^packages/releases/src/', pathNot: '\\.spec\\.ts$|/test/' },
      to: { path: '^packages/(?!releases/|contract/|server/)|^(?:shell|mf-[^/]+|backend|scripts|e2e)/' },
    },
    {
      name: 'only-the-store-knows-postgresql',
      severity: 'error',
      from: { path: '^shell/server/', pathNot: '^shell/server/(?:releases/store\\.ts|test/)|\\.spec\\.ts$' },
      to: { path: 'node_modules/pg/' },
    },
    {
      name: 'releases-know-no-http',
      severity: 'error',
      from: { path: '^shell/server/releases/', pathNot: '\\.spec\\.ts$' },
      to: { path: 'node_modules/(?:fastify|@fastify/[^/]+)/' },
    },
    {
      name: 'what-servers-share-needs-little',
      severity: 'error',
      from: { path: '^packages/server/src/', pathNot: '\\.spec\\.ts$' },
      to: {
        pathNot: [
          '^packages/(?:server|contract)/src/',
          'node_modules/(?:commander|fastify|ipaddr\\.js|pino|pino-pretty|zod)/',
        ],
        dependencyTypesNot: ['core'],
      },
    },
    {
      name: 'what-servers-share-stays-on-servers',
      comment: 'It needs Node, so it must not be sent to browsers; commands share its argument parser.',
      severity: 'error',
      from: { pathNot: '^(?:packages/(?:server|releases|runner|testing)/src|shell/server|backend|scripts)/' },
      to: { path: '^packages/server/src/' },
    },
    {
      name: 'ui-knows-no-platform',
      comment: 'The design system only renders; routing and site behavior belong to its users.',
      severity: 'error',
      from: { path: '^packages/ui/' },
      to: { path: '^packages/(?:platform|build)/|^shell/|^backend/|^mf-' },
    },
    {
      name: 'platform-knows-no-ui',
      severity: 'error',
      from: { path: '^packages/platform/' },
      to: { path: '^packages/(?:ui|build)/|^shell/|^backend/|^mf-' },
    },
    {
      name: 'remotes-are-islands',
      comment: 'Teams release remotes independently: a remote imports no other remote, no shell, no backend.',
      severity: 'error',
      from: { path: remotes },
      to: { path: '^(?:mf-|shell/|backend/|scripts/|e2e/)', pathNot: '^mf-$1/' },
    },
    {
      name: 'shell-reaches-remotes-at-run-time-only',
      severity: 'error',
      from: { path: '^shell/' },
      to: { path: '^(?:mf-|backend/|scripts/|e2e/)' },
    },
    {
      name: 'shell-browser-and-server-are-apart',
      severity: 'error',
      from: { path: '^shell/(src|server)/' },
      to: { path: '^shell/(?:src|server)/', pathNot: '^shell/$1/' },
    },
    {
      name: 'shell-server-features-are-below-their-composition',
      comment: 'app.ts passes features what they need, and in development what development/ adds.',
      severity: 'error',
      from: { path: '^shell/server/[^/]+/', pathNot: ['\\.spec\\.ts$', '^shell/server/(?:development|test)/'] },
      to: { path: '^shell/server/(?:development/|(?:app|main)\\.ts$)' },
    },
    ...shellServerFolders.slice(0, -1).map((folder, index) => ({
      name: `shell-server-${folder}-imports-what-is-before-it`,
      severity: 'error',
      from: { path: `^shell/server/${folder}/`, pathNot: '\\.spec\\.ts$' },
      to: { path: `^shell/server/(?:${shellServerFolders.slice(index + 1).join('|')})/` },
    })),
    ...shellBrowserFolders.slice(0, -1).map((folder, index) => ({
      name: `shell-browser-${folder}-imports-what-is-before-it`,
      severity: 'error',
      from: { path: `^shell/src/${folder}/`, pathNot: '\\.spec\\.tsx?$' },
      to: { path: `^shell/src/(?:${shellBrowserFolders.slice(index + 1).join('|')})/` },
    })),
    {
      name: 'backend-depends-on-contract-and-server',
      severity: 'error',
      from: { path: '^backend/src/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(?:packages/(?!contract/|server/)|mf-|shell/|scripts/|e2e/)' },
    },
    {
      name: 'backend-features-by-their-index',
      severity: 'error',
      from: { path: '^backend/src/([^/]+)/' },
      to: { path: '^backend/src/[^/]+/.+', pathNot: ['^backend/src/$1/', '^backend/src/[^/]+/index\\.ts$'] },
    },
    ...backendFolders.slice(0, -1).map((folder, index) => ({
      name: `backend-${folder}-imports-what-is-before-it`,
      severity: 'error',
      from: { path: `^backend/src/${folder}/` },
      to: { path: `^backend/src/(?:${backendFolders.slice(index + 1).join('|')})/` },
    })),
    {
      name: 'backend-features-are-below-their-composition',
      severity: 'error',
      from: { path: `^backend/src/(?!operator/)[^/]+/` },
      to: { path: '^backend/src/(?:app\\.module|create-app|entities|main|migrate)\\.ts$' },
    },
    {
      name: 'build-is-for-configurations',
      severity: 'error',
      from: { path: '^(?:packages|shell|mf-[^/]+|backend)/', pathNot: ['rspack\\.config\\.ts$', '^packages/build/'] },
      to: { path: '^packages/build/' },
    },
    {
      name: 'the-product-knows-no-testing',
      comment: 'Tests, benchmarks and commands depend on the product, never the reverse.',
      severity: 'error',
      from: {
        path: '^(?:packages/(?!(?:runner|testing)/)|shell/|mf-[^/]+/|backend/src/)',
        pathNot: '\\.spec\\.tsx?$|/test/',
      },
      to: { path: '^(?:packages/(?:runner|testing)|e2e|scripts)/' },
    },
    {
      name: 'test-setup-is-of-its-workspace',
      comment: 'What tests of several workspaces need belongs in packages/testing.',
      severity: 'error',
      from: { path: '^(packages/[^/]+|[^/]+)/' },
      to: { path: '^(?:packages/[^/]+|[^/]+)/(?:src/|server/)?test/', pathNot: ['^$1/', '^backend/test/chaos/'] },
    },
    {
      name: 'the-runner-knows-no-testing',
      severity: 'error',
      from: { path: '^packages/runner/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^packages/testing/' },
    },
    {
      name: 'testing-is-below-its-users',
      severity: 'error',
      from: { path: '^(?:packages/(?:runner|testing)|backend/test)/' },
      to: { path: '^(?:e2e|scripts|mf-[^/]+)/' },
    },
    {
      name: 'e2e-and-scripts-are-apart',
      comment: 'Shared code belongs in packages/runner or packages/testing.',
      severity: 'error',
      from: { path: '^e2e/' },
      to: { path: '^scripts/' },
    },
    {
      name: 'only-what-package.json-names',
      severity: 'error',
      from: { pathNot: '\\.spec\\.tsx?$|/test(?:ing)?/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
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
