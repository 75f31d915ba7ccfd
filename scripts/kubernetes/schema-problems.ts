import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '@daybook/testing/workspaces';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Service } from 'kubernetes-models/v1/Service';
import type { Manifest } from './manifests.ts';

/** The kinds that we use. Each has Kubernetes' own schema; the package carries it, so nothing is fetched. */
const models = {
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  NetworkPolicy,
  PodDisruptionBudget,
  ConfigMap,
  Namespace,
  PersistentVolumeClaim,
  Service,
} as const;

const isKnown = (kind: string): kind is keyof typeof models => kind in models;

/** What in manifests is not as Kubernetes' schema says: kinds, versions, types, and what is missing. */
export function schemaProblems(manifests: readonly Manifest[]): readonly string[] {
  return manifests.flatMap((manifest) => {
    const { apiVersion, kind, metadata } = manifest;
    const name = `${kind} ${metadata.name}`;
    if (!isKnown(kind)) return [`${name}: no schema is known for this kind`];
    if (models[kind].apiVersion !== apiVersion) return [`${name}: ${apiVersion} has no such kind`];
    try {
      // The type of its data is what is looked at here.
      new (models[kind] as new (data: object) => { validate(): void })(manifest).validate();
      return [];
    } catch (error) {
      return [`${name}: ${(error as Error).message}`];
    }
  });
}

/**
 * Fields that Kubernetes does not know, such as misspelt ones: its schema lets them pass, its types do not. The manifests
 * are written down as literals of those types, and the compiler looks at them.
 */
export function unknownFields(manifests: readonly Manifest[]): readonly string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'daybook-manifests-'));
  try {
    const lines = manifests.map(
      (manifest, index) =>
        `export const manifest${index}: import('kubernetes-models/${manifest.apiVersion}/${manifest.kind}').I${manifest.kind} = ${JSON.stringify(manifest)};`,
    );
    writeFileSync(path.join(folder, 'manifests.ts'), lines.join('\n'));
    writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
    const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--pretty', 'false'];
    execFileSync(process.execPath, [compiler, ...options, 'manifests.ts'], { cwd: folder, encoding: 'utf8' });
    return [];
  } catch (error) {
    const { stdout } = error as { stdout?: string };
    if (!stdout) throw error;
    return stdout.split('\n').filter(Boolean);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
