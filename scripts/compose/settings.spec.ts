import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { remotes, root } from '@daybook/runner/workspaces';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const compose = read('docker-compose.yml');
const { services, networks } = parse(compose, { merge: true, maxAliasCount: -1 });
const names = Object.keys(services);

test('every service has minimal privileges and limits, and only edge, Caddy and Grafana publish a port', () => {
  const added: Readonly<Record<string, unknown>> = {
    secrets: ['DAC_OVERRIDE', 'FOWNER'],
    caddy: ['NET_BIND_SERVICE'],
  };
  for (const name of names) {
    const { cap_add: capabilities, volumes = [], ...service } = services[name];
    const hasNetwork = name !== 'secrets' && name !== 'roles';
    expect([name, service]).toMatchObject([
      name,
      {
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        logging: { options: { 'max-size': '50m', 'max-file': '20' } },
        deploy: { resources: { limits: { memory: expect.any(String), pids: expect.any(Number) } } },
      },
    ]);
    expect([name, capabilities]).toEqual([name, added[name]]);
    expect([name, service.network_mode]).toEqual([name, hasNetwork ? undefined : 'none']);
    for (const setting of ['privileged', 'pid', 'ipc', 'devices', 'userns_mode'])
      expect([name, setting, service[setting]]).toEqual([name, setting, undefined]);
    if (name === 'secrets') continue;
    // Named, without a place on the machine, or the folder with its own secrets.
    const own = name.replace(/^(backend|shell)-[ab]$/, '$1').replace(/^(?:roles|migrate)$/, 'postgres');
    const reader = `\\$\\{SECRETS_FOLDER:-\\./secrets\\}/readers/${own === 'restore' ? 'backup' : own}:/run/secrets:ro$`;
    const ofStack = RegExp(`^(?:${reader}|(?:[\\w-]+|\\$\\{BACKUP_FOLDER:-backups\\}):|/var/lib/daybook/releases$)`);
    for (const volume of volumes) expect([name, volume]).toEqual([name, expect.stringMatching(ofStack)]);
    const { user, build, image } = service;
    // PostgreSQL's image starts as root. Of our images the Dockerfile names the user; restore and migrate use such an image.
    expect([name, user]).toEqual([name, image.includes('POSTGRES_IMAGE') ? 'postgres' : undefined]);
    const users = build && read(build.dockerfile).match(/^USER \w+$/gm);
    if (build) expect([name, users?.at(-1)]).toEqual([name, expect.stringMatching(/^USER (?:node|nginx|postgres)$/)]);
  }
  expect(names.filter((name) => services[name].ports)).toEqual(['edge', 'caddy', 'grafana']);
});

test('shell servers, remotes and monitoring can’t reach a backend, and remotes not the database', () => {
  const networksOf = (name: string): string[] => {
    const { networks: own = [] } = services[name];
    return Array.isArray(own) ? own : Object.keys(own);
  };
  const reachableFrom = (service: string) =>
    names.filter((name) => name !== service && networksOf(service).some((each) => networksOf(name).includes(each)));
  for (const name of ['shell-a', 'shell-b', 'grafana', 'alertmanager'])
    expect([name, reachableFrom(name)]).toEqual([name, expect.not.arrayContaining(['backend-a', 'backend-b'])]);
  for (const name of remotes) expect([name, networksOf(name)]).toEqual([name, ['publishing']]);
  expect(names.filter((name) => networksOf(name).includes('publishing')).sort()).toEqual([
    ...remotes,
    'shell-a',
    'shell-b',
  ]);
  expect(reachableFrom('edge')).toEqual(expect.arrayContaining(['backend-a', 'backend-b', 'shell-a', 'shell-b']));
  // Without a way out of the machine.
  for (const network of ['publishing', 'api', 'database', 'inside'])
    expect([network, networks[network]]).toEqual([network, { internal: true }]);
});

test('every image has a version of its own, in its tag and in its label', () => {
  for (const part of [...remotes, 'shell', 'backend', 'backup', 'receiver']) {
    const service = services[part] ?? services[`${part}-a`];
    const version = `\${${part.toUpperCase().replaceAll('-', '_')}_VERSION:-\${VERSION:-latest}}`;
    expect(service.image).toBe(`\${IMAGE_REGISTRY:-daybook}/${part}:${version}`);
    expect(service.build.args).toMatchObject({ VERSION: version, REVISION: expect.anything() });
    const label = (name: string, value: string) => `org.opencontainers.image.${name}="${value}"`;
    const dockerfile = read(service.build.dockerfile);
    expect(dockerfile).toMatch(RegExp(`${label('title', `(?:${part}|\\$REMOTE)`)}`));
    for (const name of ['version', 'revision']) expect(dockerfile).toContain(label(name, `$${name.toUpperCase()}`));
  }
  for (const name of ['migrate', 'backend-b']) expect(services[name].image).toBe(services['backend-a'].image);
  expect(services['shell-b'].image).toBe(services['shell-a'].image);
});

test('every image of others has a digest in deploy/images.env, for the tag that is used without it', () => {
  const pinned = new Map(
    Array.from(read('deploy/images.env').matchAll(/^(\w+_IMAGE)=(\S+)@sha256:[0-9a-f]{64}$/gm), ([, name, tag]) => [
      name,
      tag,
    ]),
  );
  const used = (text: string) =>
    Array.from(
      text.matchAll(/\$\{(\w+_IMAGE):-([^}]+)\}|^ARG (\w+_IMAGE)=(\S+)$/gm),
      ([, one, its, other, another]) => [one ?? other, its ?? another],
    );
  const files = [
    'docker-compose.yml',
    ...new Set(
      Object.values<{ build?: { dockerfile: string } }>(services).flatMap(({ build }) => build?.dockerfile ?? []),
    ),
  ];
  for (const file of files)
    for (const [name, tag] of used(read(file))) expect([file, name, tag]).toEqual([file, name, pinned.get(name)]);
  expect(pinned.size).toBe(new Set(used(compose).map(([name]) => name)).size);
  // Nothing else names an image: neither a service nor a Dockerfile.
  for (const { image } of Object.values<{ image: string }>(services))
    expect(image).toMatch(/^\$\{(?:IMAGE_REGISTRY|\w+_IMAGE):-/);
  for (const file of files.slice(1))
    for (const [, image] of read(file).matchAll(/^FROM (\S+)/gm)) expect(image).toMatch(/^(?:\$\w+_IMAGE|manifests)$/);
});

test('a documented restore that is pasted as a block stops where it fails, and opens no empty site', () => {
  const blocks = Array.from(read('docs/operations.md').matchAll(/```sh\n([\s\S]*?)```/g), ([, block = '']) => block);
  const restores = blocks.filter((block) => block.includes('run --rm restore'));
  expect(restores.length).toBe(3);
  for (const block of restores) {
    const commands = block
      .replaceAll(/#.*/g, '')
      .replaceAll(/&&\s*\n\s*/g, '&& ')
      .trim();
    expect(commands).toMatch(
      /^[^\n]* && docker compose run --rm restore(?: --to ".+")? && docker compose up --detach --wait[ \w-]*$/,
    );
  }
});

test('workflows have only the permission to read, but for publishing images, and name the commits of actions', () => {
  for (const name of readdirSync(path.join(root, '.github/workflows'))) {
    const workflow = parse(read(`.github/workflows/${name}`));
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const job of Object.values<{ permissions?: object; steps?: { uses?: string }[] }>(workflow.jobs)) {
      expect(job.permissions ?? {}).not.toMatchObject({ contents: 'write' });
      for (const { uses } of job.steps ?? []) if (uses) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
    }
  }
});

test('published images are signed by digest, with the identity of the workflow', () => {
  const { images } = parse(read('.github/workflows/release.yml')).jobs;
  expect(images.permissions).toEqual({ contents: 'read', packages: 'write', 'id-token': 'write' });
  const commands = images.steps.flatMap(({ run = '' }) => run).join('\n');
  expect(commands).toMatch(
    /bake .*--metadata-file images\.json[\s\S]*containerimage\.digest.*images\.json \|\s+xargs .*cosign sign --yes$/m,
  );
});

test('Caddy logs nothing about single requests, whose lines quote the client and the query', () => {
  expect(read('deploy/caddy/Caddyfile')).toMatch(
    /^\tlog default \{\n\t\texclude http\.log\.error http\.handlers\n\t\}$/m,
  );
});
