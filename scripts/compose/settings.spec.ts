import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { remotes, root } from '@daybook/testing/workspaces';
import { expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { environmentSchema as backendSchema } from '../../backend/src/environment.ts';
import { environmentSchema as shellSchema } from '../../shell/server/environment.ts';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const compose = read('docker-compose.yml');
const example = new Set(Array.from(read('.env.example').matchAll(/^#([A-Z_]+)=/gm), ([, name]) => name));

/** Variables that docker-compose.yml reads from the environment: in `${…}`, or passed through under the same name. */
const taken = new Set([
  ...Array.from(compose.matchAll(/\$\{([A-Z_]+)/g), ([, name]) => name),
  ...Array.from(compose.matchAll(/^ {6}([A-Z_]+):$/gm), ([, name]) => name),
]);

/** The variables that a server reads. */
const ofServers = [...new Set([...Object.keys(shellSchema.shape), ...Object.keys(backendSchema.shape)])];

/** Variables that the stack sets itself or reads from files. */
const ofStack = ['HOST', 'RELEASES_FOLDER', 'BACKEND_URL', 'NODE_ENV', 'DEVELOPMENT'];
const secrets = [
  'DATABASE_URL',
  'OPERATOR_TOKEN',
  'OPERATOR_TOKENS',
  'COOKIE_SECRET',
  'WEBHOOK_SECRET',
  'TRUSTED_KEYS',
];

test('.env.example lists exactly the variables that docker-compose.yml reads', () => {
  expect([...taken].sort()).toEqual([...example].sort());
});

test('every server setting is in .env.example or is a file of SECRETS_FOLDER', () => {
  expect(ofServers.length).toBeGreaterThan(20);
  const missing = ofServers.filter((name) => ![...example, ...ofStack, ...secrets].includes(name));
  expect(missing).toEqual([]);
  for (const name of secrets) expect(read('.env.example')).toContain(name.toLowerCase().replaceAll('_', '-'));
});

test('every remote has a service, and the shell mirrors its releases', () => {
  const { services } = parse(compose, { merge: true });
  for (const remote of remotes) {
    expect(services[remote]).toMatchObject({
      networks: ['remotes'],
      image: `daybook/${remote}:\${VERSION:-latest}`,
      build: { dockerfile: 'deploy/nginx/remote.Dockerfile', args: { REMOTE: remote, REVISION: expect.anything() } },
      volumes: [`key-${remote}:/run/secrets/release-key:ro`],
    });
    expect(services.secrets.volumes).toContain(`key-${remote}:/run/secrets/release-keys/${remote}`);
    expect(services.shell.environment.REMOTES).toMatch(RegExp(`[,-]${remote}=http://${remote}:8080[,}]`));
  }
});

test('every remote has an owner in CODEOWNERS, after the default', () => {
  const lines = read('.github/CODEOWNERS').split('\n');
  for (const remote of remotes)
    expect(lines.findIndex((line) => RegExp(`^/${remote}/ @\\S+`).test(line))).toBeGreaterThan(
      lines.indexOf('* @daybook/platform'),
    );
});

test('the Kubernetes manifests are valid YAML and have a workload with an image for each part', () => {
  const documents = ['base', 'remote'].flatMap((folder) =>
    readdirSync(path.join(root, 'deploy/kubernetes', folder)).flatMap((file) =>
      parseAllDocuments(read(`deploy/kubernetes/${folder}/${file}`)),
    ),
  );
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  const workloads = documents.map((document) => document.toJS()).filter(({ kind }) => kind === 'Deployment');
  const images = workloads.flatMap(({ spec }) =>
    spec.template.spec.containers.map((container: { image: string }) => container.image),
  );
  expect(images.sort()).toEqual(['daybook/backend', 'daybook/remote', 'daybook/shell']);
});

test('every remote is a workload of the Kubernetes site under its own name and image', () => {
  const { resources, configMapGenerator } = parse(read('deploy/kubernetes/base/kustomization.yaml'));
  const { images } = parse(read('deploy/kubernetes/example/kustomization.yaml'));
  for (const remote of remotes) {
    expect(resources).toContain(`../../../${remote}`);
    expect(JSON.stringify(configMapGenerator)).toContain(`${remote}=http://${remote}:8080`);
    expect(images).toContainEqual(expect.objectContaining({ name: `daybook/${remote}` }));
    expect(parse(read(`${remote}/kustomization.yaml`))).toMatchObject({
      resources: ['../deploy/kubernetes/remote'],
      nameSuffix: remote.replace('mf', ''),
      labels: [{ pairs: { 'app.kubernetes.io/name': remote }, includeSelectors: true }],
      images: [{ name: 'daybook/remote', newName: `daybook/${remote}` }],
    });
  }
});

test('every Kubernetes setting is a variable of a server', () => {
  const { configMapGenerator } = parse(read('deploy/kubernetes/base/kustomization.yaml'));
  const names = configMapGenerator.flatMap(({ literals }: { literals: string[] }) =>
    literals.map((literal) => literal.split('=')[0]),
  );
  expect(names.filter((name: string) => !ofServers.includes(name))).toEqual([]);
});
