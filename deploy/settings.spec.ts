import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { remotes, root } from '@daybook/testing/workspaces';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const compose = read('docker-compose.yml');
const parseStack = (text: string) => parse(text, { merge: true, maxAliasCount: -1, logLevel: 'error' });
const { services, networks } = parseStack(compose);
const swarm = parseStack(read('deploy/swarm/stack.yml')).services;
const names = Object.keys(services);
const oneShot = ['secrets', 'restore', 'roles', 'migrate'];
const dockerfiles = new Set<string>(names.flatMap((name) => services[name].build?.dockerfile ?? []));

test.each(names)('%s has minimal privileges, limits, and only its own secrets', (name) => {
  const { volumes = [], user, image, ...service } = services[name];
  expect(service).toMatchObject({
    restart: oneShot.includes(name) ? 'no' : 'unless-stopped',
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    logging: { options: { 'max-size': '50m', 'max-file': '20' } },
    deploy: { resources: { limits: { memory: expect.any(String), pids: expect.any(Number) } } },
  });
  const added: Readonly<Record<string, unknown>> = { secrets: ['DAC_OVERRIDE', 'FOWNER'], caddy: ['NET_BIND_SERVICE'] };
  expect(service.cap_add).toEqual(added[name]);
  expect(service.network_mode).toBe(['secrets', 'roles'].includes(name) ? 'none' : undefined);
  for (const setting of ['privileged', 'pid', 'ipc', 'devices', 'userns_mode'])
    expect(service).not.toHaveProperty(setting);
  if (name === 'secrets') return;
  // Named volumes, or the folder with its own secrets.
  const readers: Readonly<Record<string, string>> = { roles: 'postgres', migrate: 'postgres', restore: 'backup' };
  const own = `\${SECRETS_FOLDER:-./secrets}/readers/${readers[name] ?? name.replace(/-[ab]$/, '')}:/run/secrets:ro`;
  for (const volume of volumes)
    if (volume !== own) expect(volume).toMatch(/^(?:(?:[\w-]+|\$\{BACKUP_FOLDER:-backups\}):|\/var\/lib\/daybook\/)/);
  // PostgreSQL's image starts as root; our Dockerfiles name a user.
  expect(user).toBe(image.includes('POSTGRES_IMAGE') ? 'postgres' : undefined);
});

test.each(Array.from(dockerfiles))('%s ends as another user than root', (file) => {
  expect(read(file)).toMatch(/^USER (?:node|nginx|postgres)$(?![\s\S]*^USER )/m);
});

test('only edge, Caddy and Grafana publish a port', () => {
  expect(names.filter((name) => services[name].ports)).toEqual(['edge', 'caddy', 'grafana']);
});

test.each([
  // Deliveries and requests in progress; for the database a checkpoint.
  ['backend-a', 25],
  ['shell-a', 10],
  ['edge', 25],
  ['postgres', 60],
])('%s has %i seconds to end what is in progress', (name, seconds) => {
  expect(Number.parseInt(services[name].stop_grace_period, 10)).toBeGreaterThanOrEqual(seconds);
});

test('shell servers and remotes can’t reach backends, nor remotes the database', () => {
  const networksOf = (name: string): string[] => {
    const { networks: own = [] } = services[name];
    return Array.isArray(own) ? own : Object.keys(own);
  };
  const membersOf = (network: string) => names.filter((name) => networksOf(name).includes(network));
  expect(membersOf('api')).toEqual(['backend-a', 'backend-b', 'edge', 'prometheus']);
  expect(membersOf('database')).toEqual(['postgres', 'migrate', 'backend-a', 'backend-b']);
  for (const name of ['backend-a', 'backend-b']) expect(networksOf(name)).toEqual(['api', 'database', 'outbound']);
  for (const name of remotes) expect([name, networksOf(name)]).toEqual([name, ['publishing']]);
  // Without a way out of the machine.
  for (const network of ['publishing', 'api', 'database', 'inside'])
    expect([network, networks[network]]).toEqual([network, { internal: true }]);
});

test('deploy/images.env has a digest for the default tag of every image of others', () => {
  const pins = read('deploy/images.env').matchAll(/^(\w+_IMAGE)=(\S+)@sha256:[0-9a-f]{64}$/gm);
  const pinned = Object.fromEntries(Array.from(pins, ([, name, tag]) => [name, tag]));
  const files = [compose, ...Array.from(dockerfiles, read)];
  const used = files.flatMap((file) => Array.from(file.matchAll(/(?:\$\{|^ARG )(\w+_IMAGE)(?::-|=)([^}\n]+)/gm)));
  expect(Object.fromEntries(used.map(([, name, tag]) => [name, tag]))).toEqual(pinned);
  for (const [, name = '', tag] of used) expect([name, tag]).toEqual([name, pinned[name]]);
});

test('workflows only read, but for publishing images, and name the commits of actions', () => {
  for (const name of readdirSync(path.join(root, '.github/workflows'))) {
    const workflow = read(`.github/workflows/${name}`);
    expect(parse(workflow).permissions).toEqual({ contents: 'read' });
    expect(workflow).not.toMatch(/contents: write|write-all/);
    for (const [, action] of workflow.matchAll(/^[ -]+uses: (?!\.\/)(\S+)/gm))
      expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
  }
});

test('no health check ends what is slow to start, or works and waits for another part', () => {
  const { postgres, backend, shell, backup, edge } = swarm;
  for (const { healthcheck } of [services.postgres, postgres]) expect(healthcheck.start_period).toBe('24h');
  const patient = { start_period: '1h', test: ['CMD', 'bash', '/usr/local/lib/ready.sh', '--once'] };
  for (const { healthcheck } of [backend, shell]) expect(healthcheck).toMatchObject(patient);
  for (const { healthcheck } of [backup, edge]) expect(healthcheck.start_period).toBe('10m');
});
