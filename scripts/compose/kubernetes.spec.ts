import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { remotes, root } from '@daybook/runner/workspaces';
import { expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { environmentSchema as backendSchema } from '../../backend/src/environment.ts';
import { environmentSchema as shellSchema } from '../../shell/server/environment.ts';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Returns the objects of the manifests in folders below deploy/kubernetes. */
function manifests(...folders: readonly string[]) {
  const documents = folders.flatMap((folder) =>
    readdirSync(path.join(root, 'deploy/kubernetes', folder))
      .filter((file) => file.endsWith('.yaml'))
      .flatMap((file) => parseAllDocuments(read(`deploy/kubernetes/${folder}/${file}`))),
  );
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  return documents.map((document) => document.toJS());
}

test('on Kubernetes, each server logs in to the database with a role of its own, and only migrations as its owner', () => {
  type Named = { name: string; secret?: object; volumeMounts?: readonly Named[] };
  // Kustomize merges lists by the names of their objects.
  const podsOf = (name: string): Record<string, readonly Named[]>[] =>
    manifests('server', `base/${name}`)
      .filter(({ kind }) => kind === 'Deployment')
      .map(({ spec }) => spec.template.spec);
  const secretsOf = (name: string, kind: 'containers' | 'initContainers' = 'containers') => {
    const ofVolume = Map.groupBy(
      podsOf(name).flatMap(({ volumes = [] }) => volumes),
      (volume) => volume.name,
    );
    const mounts = podsOf(name).flatMap(({ [kind]: containers = [] }) => containers[0]?.volumeMounts ?? []);
    return mounts.flatMap((mount) => {
      const { secretName, items = [] } = Object.assign(
        {},
        ...(ofVolume.get(mount.name) ?? []).map((volume) => volume.secret),
      );
      return secretName ? [[secretName, ...items.map(({ key }: { key: string }) => key)].join(' ')] : [];
    });
  };
  expect(secretsOf('backend')).toEqual([
    'database-backend uri',
    'daybook cookie-secret audit-key webhook-secret metrics-token',
  ]);
  expect(secretsOf('backend', 'initContainers')).toEqual(['database-app uri']);
  expect(secretsOf('shell')).toEqual(['database-shell uri', 'daybook metrics-token', 'tokens']);
  const sql = read('deploy/postgres/roles.sql');
  const { bootstrap, managed } = manifests('example').find(({ kind }) => kind === 'Cluster').spec;
  expect(managed.roles.map(({ name }: { name: string }) => name)).toEqual(['backend', 'shell']);
  for (const statement of bootstrap.initdb.postInitApplicationSQL)
    expect(sql).toContain(statement.replace(' FOR ROLE daybook', ''));
});

interface Pod {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}
interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[];
}
interface Rule {
  readonly to?: readonly Peer[];
  readonly from?: readonly Peer[];
  readonly ports?: readonly { readonly port: number | string }[];
}
interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: object;
}

const ofSite = (labels: Pod['labels']): Pod => ({ namespace: 'daybook', labels });
/** A pod of the base, which labels all of its own. */
const named = (name: string, labels: Pod['labels'] = {}) =>
  ofSite({ 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': 'daybook', ...labels });
const inNamespace = (namespace: string): Pod => ({ namespace, labels: {} });
const pods = {
  shell: named('shell'),
  backend: named('backend'),
  remote: named('mf-legal', { 'app.kubernetes.io/component': 'remote' }),
  database: ofSite({ 'cnpg.io/cluster': 'database' }),
  'certificate solver': ofSite({ 'acme.cert-manager.io/http01-solver': 'true' }),
  ingress: inNamespace('ingress'),
  monitoring: inNamespace('monitoring'),
  'database operator': inNamespace('cnpg-system'),
  DNS: inNamespace('kube-system'),
  'DNS of OpenShift': inNamespace('openshift-dns'),
  stranger: inNamespace('default'),
};

const selects = ({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Pod['labels']) =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''));

/**
 * Returns whether the network policies allow a connection between pods.
 *
 * @param blocksMatchPods whether `ipBlock` applies to pods, which differs between network plugins
 */
function allows(from: Pod, to: Pod, port: number, blocksMatchPods: boolean): boolean {
  const policies = manifests('base', 'example').filter(({ kind }) => kind === 'NetworkPolicy');
  const isPeer = (pod: Pod, { podSelector, namespaceSelector, ipBlock }: Peer) =>
    ipBlock
      ? blocksMatchPods
      : (namespaceSelector
          ? selects(namespaceSelector, { 'kubernetes.io/metadata.name': pod.namespace })
          : pod.namespace === 'daybook') && selects(podSelector ?? {}, pod.labels);
  const isOpen = (direction: 'ingress' | 'egress', pod: Pod, other: Pod) => {
    if (pod.namespace !== 'daybook') return true;
    const rules: Rule[] = policies
      .filter(({ spec }) => selects(spec.podSelector, pod.labels))
      .flatMap(({ spec }) => spec[direction] ?? []);
    return rules.some(({ to: peers, from: sources = peers, ports = [] }) => {
      const isPort = ports.length === 0 || ports.some((each) => each.port === port || each.port === 'http');
      return isPort && (!sources || sources.some((peer) => isPeer(other, peer)));
    });
  };
  return isOpen('egress', from, to) && isOpen('ingress', to, from);
}

// Cilium is such a plugin.
test.each([
  ['remote', 'shell', 8080],
  ['remote', 'DNS', 53],
  ['shell', 'database', 5432],
  ['shell', 'DNS', 53],
  ['shell', 'DNS of OpenShift', 5353],
  ['backend', 'database', 5432],
  ['backend', 'DNS', 53],
  ['database', 'database', 5432],
  ['database', 'database', 8000],
  ['database operator', 'database', 8000],
  ['ingress', 'shell', 8080],
  ['ingress', 'backend', 3000],
  ['ingress', 'certificate solver', 8089],
  ['monitoring', 'shell', 8080],
  ['monitoring', 'backend', 3000],
  ['monitoring', 'database', 9187],
] as const)('%s reaches %s at port %i, also where network policies match pods by labels only', (from, to, port) => {
  expect(allows(pods[from], pods[to], port, false)).toBe(true);
});

test.each([
  ['shell', 'backend', 3000],
  ['backend', 'shell', 8080],
  ['shell', 'remote', 8080],
  ['backend', 'remote', 8080],
  ['remote', 'remote', 8080],
  ['remote', 'backend', 3000],
  ['remote', 'database', 5432],
  ['remote', 'stranger', 443],
  ['ingress', 'database', 5432],
  ['ingress', 'remote', 8080],
  ['stranger', 'shell', 8080],
  ['stranger', 'backend', 3000],
  ['stranger', 'database', 5432],
] as const)('%s does not reach %s at port %i, also where `ipBlock` matches pods', (from, to, port) => {
  expect(allows(pods[from], pods[to], port, true)).toBe(false);
});

test('names are resolved by NodeLocal DNSCache, too', () => {
  const { spec } = manifests('base').find(({ metadata }) => metadata?.name === 'dns');
  expect(spec.egress[0].to).toContainEqual({ ipBlock: { cidr: '169.254.20.10/32' } });
});

test('the Ingress sends calls to the backends, and all else to the shell servers', () => {
  const objects = manifests('base');
  const { spec } = objects.find(({ kind }) => kind === 'Ingress');
  type Path = { path: string; pathType: string; backend: { service: { name: string } } };
  const paths = spec.rules[0].http.paths.map(({ path, pathType, backend }: Path) => [
    path,
    pathType,
    backend.service.name,
  ]);
  expect(paths).toEqual([
    ['/api', 'Prefix', 'backend'],
    ['/', 'Prefix', 'shell'],
  ]);
  // The namespace of the ingress controller is replaced in both policies.
  const { patches } = parse(read('deploy/kubernetes/example/kustomization.yaml'));
  expect(patches).toContainEqual(
    expect.objectContaining({ target: { kind: 'NetworkPolicy', name: 'shell|backend|acme-solver' } }),
  );
});

test('each remote on Kubernetes publishes with a token that only its own container reads', () => {
  const [{ spec }] = manifests('remote').filter(({ kind }) => kind === 'Deployment');
  expect(spec.template.spec.volumes[0].secret.secretName).toBe('mf');
  for (const remote of remotes) {
    const { nameSuffix, patches } = parse(read(`${remote}/kustomization.yaml`));
    expect(`mf${nameSuffix}`).toBe(remote);
    expect(patches.map(({ patch }: { patch: string }) => parse(patch))).toEqual([
      [{ op: 'replace', path: '/spec/template/spec/volumes/0/secret/secretName', value: remote }],
    ]);
  }
});

test('every Kubernetes setting is a variable of a server', () => {
  const { configMapGenerator } = parse(read('deploy/kubernetes/base/kustomization.yaml'));
  const names = configMapGenerator.flatMap(({ literals }: { literals: string[] }) =>
    literals.map((literal) => literal.split('=')[0]),
  );
  expect(
    names.filter(
      (name: string) => ![...Object.keys(shellSchema.shape), ...Object.keys(backendSchema.shape)].includes(name),
    ),
  ).toEqual([]);
});

test('the example pulls all images with one secret, and names their tag once', () => {
  const { images, patches } = parse(read('deploy/kubernetes/example/kustomization.yaml'));
  expect(patches).toContainEqual({ target: { kind: 'Deployment' }, patch: expect.stringContaining('name: registry') });
  expect(images.map(({ name }: { name: string }) => name).sort()).toEqual(
    ['backend', 'shell', ...remotes].map((part) => `daybook/${part}`).sort(),
  );
  expect(new Set(images.map(({ newTag }: { newTag: string }) => newTag)).size).toBe(1);
  expect(read('deploy/kubernetes/example/kustomization.yaml').match(/newTag: [^*]/g)).toHaveLength(1);
});
