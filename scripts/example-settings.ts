import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '@daybook/testing/workspaces';
import { environmentSchema as backendSchema } from '../backend/src/environment.ts';
import { environmentSchema as shellSchema } from '../shell/server/environment.ts';

/** Variables that the stack sets itself, or that have no use in it. */
const ofStack = [
  ...['HOST', 'TRUSTED_PROXIES', 'DRAIN_SECONDS', 'REVISION', 'TOKENS_FILE', 'RELEASES_FOLDER', 'BACKEND_URL'],
  ...['NODE_ENV', 'DEVELOPMENT', 'DEVELOPMENT_BUILDS'],
];

/** Variables that the stack reads from files of SECRETS_FOLDER, which .env.example lists by the file's name. */
const secrets = [
  ...['DATABASE_URL', 'RELEASES_DATABASE_URL', 'METRICS_TOKEN', 'COOKIE_SECRET', 'AUDIT_KEY', 'WEBHOOK_SECRET'],
];

/** Images are in deploy/images.env; .env.example explains the version of one part by an example. */
const isElsewhere = (name: string) => /_IMAGE$|(?<!EDGE)_VERSION$/.test(name);

/** Returns a sentence for each variable of the servers that .env.example lacks, and for each that nothing reads. */
export function exampleProblems(): readonly string[] {
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  const namesIn = (file: string, pattern: RegExp) => Array.from(read(file).matchAll(pattern), ([, name = '']) => name);
  const example = new Set(namesIn('.env.example', /^#([A-Z_]+)=/gm));
  // In `${…}`, passed through under the same name, or read by Compose itself.
  const ofCompose = [
    ...namesIn('docker-compose.yml', /\$\{([A-Z_]+)/g),
    ...namesIn('docker-compose.yml', /^ {4,6}([A-Z_]+):$/gm),
    'COMPOSE_PROFILES',
    'COMPOSE_PROJECT_NAME',
  ];
  const ofServers = [...Object.keys(shellSchema.shape), ...Object.keys(backendSchema.shape)];
  const explained = new Set([...ofCompose, ...ofServers].filter((name) => ![...ofStack, ...secrets].includes(name)));
  const files = secrets.map((name) => name.toLowerCase().replaceAll('_', '-'));
  return [
    ...[...explained]
      .filter((name) => !example.has(name) && !isElsewhere(name))
      .map((name) => `${name} is missing in .env.example: add a line #${name}=<example> with its meaning above.`),
    ...files
      .filter((file) => !read('.env.example').includes(`#   ${file} `))
      .map((file) => `The secret ${file} is missing in the list of SECRETS_FOLDER in .env.example.`),
    ...[...example]
      .filter((name) => !ofCompose.includes(name))
      .map((name) => `${name} of .env.example has no effect: docker-compose.yml does not read it.`),
  ];
}
