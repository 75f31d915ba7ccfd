import { readFileSync } from 'node:fs';
import path from 'node:path';
import { remotes, root } from '@daybook/testing/workspaces';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const text = read('deploy/swarm/stack.yml');
// Tags such as !reset are Compose's own.
const stack = parse(text, { merge: true, logLevel: 'error' });
const compose = parse(read('docker-compose.yml'), { merge: true, maxAliasCount: -1 });

/** Services of docker-compose.yml that run without a profile. */
const services = Object.keys(compose.services).filter((name) => !compose.services[name].profiles);
const longRunning = ['postgres', 'backup', 'backend', 'shell', 'edge', ...remotes];

test('stack.yml overrides every service of docker-compose.yml', () => {
  expect(Object.keys(stack.services).sort()).toEqual([...services].sort());
});

test('every swarm service has a tmpfs, a slow health check and DNS round robin', () => {
  for (const name of longRunning) {
    const { volumes, healthcheck, deploy } = stack.services[name];
    expect(volumes).toContainEqual(expect.objectContaining({ type: 'tmpfs', target: '/tmp' }));
    expect(healthcheck).toMatchObject({ retries: 24, interval: '5s' });
    expect(deploy.endpoint_mode).toBe('dnsrr');
  }
});

test('shells, backends and remotes start a new task before stopping the old one', () => {
  for (const name of longRunning.filter((each) => !['postgres', 'backup', 'edge'].includes(each)))
    expect(stack.services[name].deploy.update_config).toMatchObject({
      order: 'start-first',
      failure_action: 'rollback',
    });
  for (const name of ['shell', 'backend']) expect(stack.services[name].deploy.replicas).toBe(2);
});

test('each swarm service reads the same secrets as in docker-compose.yml, from the paths of the swarm', () => {
  for (const name of services) {
    const { environment = {}, secrets = [] } = stack.services[name] ?? {};
    const files = Object.values<string>(environment).filter((value) => value.startsWith('/run/secrets/'));
    expect(files.map((file) => path.basename(file)).sort()).toEqual([...secrets].sort());
    const inCompose = Object.keys(compose.services[name]?.environment ?? {}).filter((key) => key.endsWith('_FILE'));
    expect(
      Object.keys(environment)
        .filter((key) => key.endsWith('_FILE'))
        .sort(),
    ).toEqual(inCompose.sort());
  }
});

test('deploy/swarm/README.md lists every setting that .env.example lacks', () => {
  const example = new Set(Array.from(read('.env.example').matchAll(/^#([A-Z_]+)=/gm), ([, name]) => name));
  const taken = new Set(Array.from(text.matchAll(/\$\{([A-Z_]+)/g), ([, name]) => name ?? ''));
  // Set by deploy.sh.
  for (const name of ['COMPOSE_PROJECT_NAME', 'ROLES_VERSION']) taken.delete(name);
  const readme = read('deploy/swarm/README.md');
  for (const name of taken) if (!example.has(name)) expect(readme).toContain(`\`${name}\``);
  expect(taken.size).toBeGreaterThan(3);
});
