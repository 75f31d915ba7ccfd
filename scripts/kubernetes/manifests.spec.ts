import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { remotes, root } from '@daybook/testing/workspaces';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { baseManifests, findKustomize, type Manifest, readKubernetes, render } from './manifests.ts';
import { schemaProblems, unknownFields } from './schema-problems.ts';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const base = baseManifests();
const kustomization = parse(readKubernetes('base/kustomization.yaml'));
const example = parse(readKubernetes('example/kustomization.yaml'));
const compose = parse(read('docker-compose.yml'), { merge: true });

const ofKind = (kind: string, manifests = base) => manifests.filter((manifest) => manifest.kind === kind);
const named = (kind: string, name: string) => ofKind(kind).find(({ metadata }) => metadata.name === name) as Manifest;

const servers = ['shell', 'backend'];
const parts = [...servers, ...remotes];
const podOf = (part: string) => named('Deployment', part).spec.template;
const containerOf = (part: string) => podOf(part).spec.containers[0];
const containers = parts.flatMap((part) => [...(podOf(part).spec.initContainers ?? []), containerOf(part)]);

/** The literals of a generated ConfigMap. */
const settingsOf = (map: string): Readonly<Record<string, string>> => {
  const { literals } = kustomization.configMapGenerator.find(({ name }: { name: string }) => name === map);
  return Object.fromEntries((literals as string[]).map((literal) => literal.split(/=(.*)/s).slice(0, 2)));
};

const readme = readKubernetes('README.md');

const selects = (selector: Readonly<Record<string, string>>, labels: Readonly<Record<string, string>>) =>
  Object.entries(selector).every(([label, value]) => labels[label] === value);

describe('the base', () => {
  test('has the shape of Kubernetes’ schema, and no field that Kubernetes does not know', () => {
    expect(base.length).toBeGreaterThan(20);
    expect(schemaProblems(base)).toEqual([]);
    expect(unknownFields(base)).toEqual([]);
  });

  test('would be refused with a wrong type, a missing field, or a misspelt one', () => {
    const [service] = ofKind('Service') as [Manifest];
    const withSpec = (spec: object): Manifest[] => [{ ...service, spec: { ...service.spec, ...spec } }];
    expect(schemaProblems(withSpec({ ports: [{ port: 'http' }] }))).toEqual([expect.stringContaining('integer')]);
    expect(schemaProblems(withSpec({ ports: [{ name: 'http' }] }))).toEqual([expect.stringContaining('port')]);
    expect(unknownFields(withSpec({ portz: [] }))).toEqual([expect.stringContaining('portz')]);
  });

  test('has a Deployment and a Service for each part, under the labels by which they are found', () => {
    expect(ofKind('Deployment').map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(parts));
    for (const part of parts) {
      const { labels } = podOf(part).metadata;
      expect(selects(named('Deployment', part).spec.selector.matchLabels, labels)).toBe(true);
      expect(selects(named('Service', part).spec.selector, labels)).toBe(true);
      expect(kustomization.resources).toContain(`${part}.yaml`);
    }
    for (const server of servers) {
      expect(
        selects(named('PodDisruptionBudget', server).spec.selector.matchLabels, podOf(server).metadata.labels),
      ).toBe(true);
      expect(named('HorizontalPodAutoscaler', server).spec.scaleTargetRef).toMatchObject({
        kind: 'Deployment',
        name: server,
      });
    }
  });

  test('rolls every part without taking one away before the next is ready', () => {
    for (const part of parts)
      expect(named('Deployment', part).spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
  });

  test('gives every container nothing that it does not need', () => {
    for (const part of parts) {
      const { spec } = podOf(part);
      expect(spec).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    }
    for (const container of containers) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(container.resources.limits.memory).toBeDefined();
    }
  });

  test('refers to volumes, maps and ports that are there', () => {
    const maps = kustomization.configMapGenerator.map(({ name }: { name: string }) => name);
    for (const part of parts) {
      const { volumes, initContainers = [], containers: own } = podOf(part).spec;
      const names = volumes.map(({ name }: { name: string }) => name);
      for (const { volumeMounts, envFrom = [] } of [...initContainers, ...own]) {
        for (const { name } of volumeMounts) expect(names).toContain(name);
        for (const { configMapRef, secretRef } of envFrom)
          if (configMapRef) expect(maps).toContain(configMapRef.name);
          else expect(readme).toContain(`create secret generic ${secretRef.name} `);
      }
      for (const { secret, persistentVolumeClaim } of volumes) {
        if (persistentVolumeClaim)
          expect(named('PersistentVolumeClaim', persistentVolumeClaim.claimName)).toBeDefined();
        if (!secret) continue;
        expect(readme).toContain(`create secret generic ${secret.secretName} `);
        for (const { key } of secret.items) expect(readme).toContain(`--from-file=${key}`);
      }
    }
  });

  test('looks alike for all remotes', () => {
    const alike = (remote: string) => readKubernetes(`base/${remote}.yaml`).replaceAll(remote, 'mf-name');
    for (const remote of remotes) expect(alike(remote)).toBe(alike(remotes[0] ?? ''));
  });
});

describe('the base and the images', () => {
  test('agree on ports, and on the folder of the releases', () => {
    for (const part of parts) {
      const port = Number(/^EXPOSE (\d+)$/m.exec(read(`${part}/Dockerfile`))?.[1]);
      expect(containerOf(part).ports).toEqual([{ name: 'http', containerPort: port }]);
      expect(named('Service', part).spec.ports).toEqual([{ name: 'http', port, targetPort: 'http' }]);
    }
    const folder = /RELEASES_FOLDER=(\S+)/.exec(read('shell/Dockerfile'))?.[1];
    expect(containerOf('shell').volumeMounts).toContainEqual({ name: 'releases', mountPath: folder });
  });

  test('agree on names, commands and memory with docker-compose.yml', () => {
    for (const part of parts)
      expect(`${containerOf(part).image}:\${VERSION:-latest}`).toBe(compose.services[part].image);
    expect(podOf('backend').spec.initContainers[0].command).toEqual(compose.services.migrate.command);
    for (const part of parts) {
      const { memory } = compose.services[part].deploy.resources.limits;
      expect(containerOf(part).resources.limits.memory).toBe(`${memory}i`);
    }
  });
});

describe('the settings', () => {
  /** The variables of README's table. */
  const known = new Set(
    read('README.md')
      .split('\n')
      .filter((line) => /^\| `[A-Z]/.test(line))
      .flatMap((line) => Array.from((line.split(' | ')[0] ?? '').matchAll(/`([A-Z_]+)`/g), ([, name]) => name)),
  );

  test('are variables that README names, secrets from files', () => {
    const literals = [...kustomization.configMapGenerator, ...example.configMapGenerator].flatMap(
      (map) => map.literals,
    );
    for (const literal of literals as string[]) expect(known).toContain(literal.split('=')[0]);
    for (const { env = [], volumeMounts } of containers)
      for (const { name, value } of env as { name: string; value: string }[]) {
        expect(known).toContain(name.replace(/_FILE$/, ''));
        const folder = path.dirname(value);
        expect(volumeMounts).toContainEqual(expect.objectContaining({ mountPath: folder, readOnly: true }));
      }
  });

  test('have a map for each that docker-compose.yml passes on: of both servers, or of one of them', () => {
    const readBy = (part: string) =>
      Object.keys(compose.services[part].environment).filter((name) => !name.endsWith('_FILE'));
    const [shell, backend] = [readBy('shell'), readBy('backend')];
    // As many proxies stand in front of one as do not in front of the other.
    const both = shell.filter((name) => backend.includes(name) && name !== 'TRUSTED_PROXIES');
    const listed = (map: string) => {
      const [, , settings = ''] = new RegExp(`^\\| \`${map}\` \\|(.*)\\|(.*)\\|$`, 'm').exec(readme) ?? [];
      return Array.from(settings.matchAll(/`(\w+)`/g), ([, name]) => name).sort();
    };
    const but = (names: readonly string[]) => names.filter((name) => !both.includes(name)).sort();
    expect(listed('site-settings')).toEqual(both.sort());
    expect(listed('shell-settings')).toEqual(but(shell));
    expect(listed('backend-settings')).toEqual(but(backend));
    for (const map of [...kustomization.configMapGenerator, ...example.configMapGenerator])
      for (const literal of map.literals) expect(listed(map.name)).toContain(literal.split('=')[0]);
  });

  test('lead to the same places as in docker-compose.yml', () => {
    const { BACKEND_URL, REMOTES } = settingsOf('shell-settings');
    const { environment } = compose.services.shell;
    expect(BACKEND_URL).toBe(environment.BACKEND_URL);
    expect(environment.REMOTES).toBe(`\${REMOTES:-${REMOTES}}`);
    expect(settingsOf('backend-settings').TRUSTED_PROXIES).toBe(compose.services.backend.environment.TRUSTED_PROXIES);
  });

  test('leave a pod that is told to stop the time that it takes', () => {
    const drain = Number(settingsOf('site-settings').DRAIN_SECONDS);
    const graceOf = (part: string) => podOf(part).spec.terminationGracePeriodSeconds;
    expect(graceOf('shell')).toBeGreaterThanOrEqual(drain + 10);
    expect(graceOf('backend')).toBeGreaterThanOrEqual(drain + 25);
    for (const remote of remotes) {
      const [program, seconds] = containerOf(remote).lifecycle.preStop.exec.command;
      expect(program).toBe('sleep');
      expect(graceOf(remote)).toBeGreaterThan(Number(seconds));
    }
  });

  test('keep the connections of all backends below what PostgreSQL takes', () => {
    const { maxReplicas } = named('HorizontalPodAutoscaler', 'backend').spec;
    const { maxSurge } = named('Deployment', 'backend').spec.strategy.rollingUpdate;
    const poolAndQueue = 10 + 3;
    const reservedForSuperusers = 3;
    expect((maxReplicas + maxSurge) * poolAndQueue).toBeLessThanOrEqual(100 - reservedForSuperusers);
  });
});

test('probes ask what the servers answer', () => {
  const pathsOf = (part: string) => {
    const { startupProbe, livenessProbe, readinessProbe } = containerOf(part);
    return [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => `${httpGet.port}${httpGet.path}`);
  };
  for (const server of servers) expect(pathsOf(server)).toEqual(['http/healthz', 'http/healthz', 'http/readyz']);
  for (const remote of remotes) {
    expect(new Set(pathsOf(remote))).toEqual(new Set(['http/release.json']));
    expect(read(`${remote}/Dockerfile`)).toContain(':8080/release.json');
  }
});

test('who may reach whom is as in the networks of docker-compose.yml', () => {
  const networksOf = (part: string) => new Set<string>(compose.services[part].networks);
  const peersOf = (part: string) =>
    parts.filter((other) => other !== part && !networksOf(part).isDisjointFrom(networksOf(other)));
  const policyOf = (part: string) => named('NetworkPolicy', servers.includes(part) ? part : 'remotes');
  const reached = (part: string, from: string) =>
    policyOf(part).spec.ingress.some(
      ({ from: peers }: { from: { podSelector?: { matchLabels: Record<string, string> } }[] }) =>
        peers.some(({ podSelector }) => podSelector && selects(podSelector.matchLabels, podOf(from).metadata.labels)),
    );
  // The shell asks all others; nobody asks it.
  // Remotes share a network in Compose; here they don't reach each other.
  for (const part of parts.filter((name) => name !== 'shell'))
    expect(parts.filter((from) => from !== part && reached(part, from))).toEqual(
      peersOf(part).filter((peer) => !remotes.includes(peer)),
    );
  expect(named('NetworkPolicy', 'remotes').spec.egress).toBeUndefined();
  expect(named('NetworkPolicy', 'default-deny').spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
});

test('the example changes things that are there', () => {
  const images = example.images.map(({ name }: { name: string }) => name);
  expect(images.sort()).toEqual(parts.map((part) => `daybook/${part}`).sort());
  for (const { target } of example.patches) expect(named(target.kind, target.name)).toBeDefined();
  for (const { name } of example.configMapGenerator) expect(settingsOf(name)).toBeDefined();
});

const kustomize = findKustomize();
const title = 'kustomize makes objects of the schema’s shape of it';
if (kustomize) {
  const ownKinds = (manifests: readonly Manifest[]) =>
    manifests.filter(({ apiVersion }) => !apiVersion.includes('cnpg.io'));

  test(`${title}: the example`, () => {
    const manifests = ownKinds(render(kustomize, 'example'));
    expect(schemaProblems(manifests)).toEqual([]);
    expect(unknownFields(manifests)).toEqual([]);
    for (const { spec } of ofKind('Deployment', manifests))
      for (const { image } of spec.template.spec.containers)
        expect(image).toMatch(/^registry\.example\.com\/.*:1\.0\.0$/);
    expect(ofKind('PersistentVolumeClaim', manifests)).toHaveLength(1);
  });

  test(`${title}: the example with releases in each pod`, () => {
    const copy = mkdtempSync(path.join(tmpdir(), 'daybook-kubernetes-'));
    try {
      cpSync(path.join(root, 'deploy/kubernetes'), copy, { recursive: true });
      const file = path.join(copy, 'example/kustomization.yaml');
      writeFileSync(file, readFileSync(file, 'utf8').replace('#components:', 'components:'));
      const manifests = ownKinds(render(kustomize, path.join(copy, 'example')));
      expect(schemaProblems(manifests)).toEqual([]);
      expect(ofKind('PersistentVolumeClaim', manifests)).toEqual([]);
      const shell = ofKind('Deployment', manifests).find(({ metadata }) => metadata.name === 'shell');
      expect(shell?.spec.template.spec.volumes).toContainEqual({ name: 'releases', emptyDir: { sizeLimit: '1Gi' } });
    } finally {
      rmSync(copy, { recursive: true });
    }
  });
} else test.skip(`${title}: neither kustomize nor kubectl is on this machine`, () => undefined);
