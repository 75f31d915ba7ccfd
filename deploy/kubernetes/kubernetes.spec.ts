import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { remotes, root } from '@daybook/testing/workspaces';
import { expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { environmentSchema as backendSchema } from '../../backend/src/environment.ts';
import { environmentSchema as shellSchema } from '../../shell/server/environment.ts';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const manifests = globSync('deploy/kubernetes/*/*.yaml', { cwd: root }).flatMap((file) =>
  parseAllDocuments(read(file)).map((document) => document.toJS()),
);
const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
const podOf = (name: string) => ofKind('Deployment').find(({ metadata }) => metadata.name === name).spec.template.spec;

test.each(manifests.filter(({ spec }) => spec?.template))('$metadata.name runs without privileges', ({ spec }) => {
  const { initContainers = [], containers, securityContext, automountServiceAccountToken } = spec.template.spec;
  expect(automountServiceAccountToken).toBe(false);
  expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  for (const container of [...initContainers, ...containers])
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
});

test('the example rejects privileged pods, and does not patch privileges', () => {
  expect(ofKind('Namespace')[0].metadata.labels).toEqual({ 'pod-security.kubernetes.io/enforce': 'restricted' });
  expect(read('deploy/kubernetes/example/kustomization.yaml')).not.toContain('securityContext');
});

test.each(['backend', 'shell'])('%s is not restarted while it starts or waits for the database', (name) => {
  expect(podOf(name).containers[0]).toMatchObject({
    startupProbe: { httpGet: { path: '/healthz' }, periodSeconds: 1, failureThreshold: 300 },
    livenessProbe: { httpGet: { path: '/healthz' } },
    readinessProbe: { httpGet: { path: '/readyz' } },
  });
});

test.each([
  ['backend', 'containers', ['database-backend', 'daybook']],
  ['backend', 'initContainers', ['database-app']],
  ['shell', 'containers', ['database-shell', 'tokens', 'daybook metrics-token,metrics-token']],
  ['mf', 'containers', ['mf']],
] as const)('%s mounts only its own secrets (%s)', (name, kind, secrets) => {
  const { volumes, [kind]: containers } = podOf(name);
  const mounted = containers[0].volumeMounts.flatMap((mount: { name: string }) => {
    const { secret } = volumes.find(({ name }: { name: string }) => name === mount.name);
    return secret ? [secret.secretName, ...(secret.items ?? []).map(Object.values)].join(' ') : [];
  });
  expect(mounted).toEqual(secrets);
});

test.each(remotes)('%s publishes with its own token', (remote) => {
  const { nameSuffix, patches } = parse(read(`${remote}/kustomization.yaml`));
  expect(`mf${nameSuffix}`).toBe(remote);
  expect(patches.map(({ patch }: { patch: string }) => parse(patch))).toEqual([
    [{ op: 'replace', path: '/spec/template/spec/volumes/0/secret/secretName', value: remote }],
  ]);
});

test.each([
  ['backend', []],
  // Only the command in the container of the compose stack reads it.
  ['shell', ['RELEASES_TOKEN_FILE']],
])('%s has the files of secrets that it has in the compose stack', (name, others) => {
  const { [`x-${name}`]: service } = parse(read('docker-compose.yml'), { maxAliasCount: -1, logLevel: 'error' });
  const expected = Object.keys(service.environment).filter((variable) => variable.endsWith('_FILE'));
  const variables = podOf(name).containers[0].env.map((each: { name: string }) => each.name);
  expect([...variables, ...others].sort()).toEqual(expected.sort());
});

test('the roles of the database are those of deploy/postgres/roles.sql', () => {
  for (const statement of ofKind('Cluster')[0].spec.bootstrap.initdb.postInitApplicationSQL)
    expect(read('deploy/postgres/roles.sql')).toContain(statement.replace(' FOR ROLE daybook', ''));
});

test('every setting is a variable of a server', () => {
  const settings = read('deploy/kubernetes/base/kustomization.yaml').matchAll(/^ +- ([A-Z_]+)=/gm);
  const names = Array.from(settings, ([, name]) => name);
  expect(names).toContain('DRAIN_SECONDS');
  expect(Object.keys({ ...shellSchema.shape, ...backendSchema.shape })).toEqual(expect.arrayContaining(names));
});

test('network policies deny what none of them allows', () => {
  const denied = { spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] } };
  expect(ofKind('NetworkPolicy')).toContainEqual(expect.objectContaining(denied));
});

test('no network policy allows the addresses of the cloud’s metadata service', () => {
  const allowed = ofKind('NetworkPolicy').flatMap(({ spec: { egress = [] } }) => egress);
  const blocks = allowed.flatMap(({ to = [] }) => to).flatMap(({ ipBlock = [] }) => ipBlock);
  const known = [
    { cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] },
    { cidr: '::/0', except: ['fe80::/10', 'fd00:ec2::/32'] },
    // A DNS server.
    { cidr: '169.254.20.10/32' },
  ];
  for (const block of blocks) expect(known).toContainEqual(block);
});
