import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '@daybook/testing/workspaces';
import { parseAllDocuments } from 'yaml';

/** An object of Kubernetes as a manifest has it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  // biome-ignore lint/suspicious/noExplicitAny: what it holds is for the schema to judge.
  readonly spec?: any;
}

const folder = path.join(root, 'deploy/kubernetes');

/** The objects in a text of YAML documents. */
export const parseManifests = (text: string): readonly Manifest[] =>
  parseAllDocuments(text, { merge: true }).map((document) => document.toJS() as Manifest);

/** A file of deploy/kubernetes. */
export const readKubernetes = (file: string) => readFileSync(path.join(folder, file), 'utf8');

/** The base as it is written, before kustomize makes anything of it. */
export const baseManifests = (): readonly Manifest[] =>
  readdirSync(path.join(folder, 'base'))
    .filter((file) => file !== 'kustomization.yaml')
    .flatMap((file) => parseManifests(readKubernetes(`base/${file}`)));

const programs = [
  ['kustomize', 'build'],
  ['kubectl', 'kustomize'],
] as const;

/** How kustomize is called on this machine; `undefined` where there is none. */
export function findKustomize(): readonly [string, string] | undefined {
  return programs.find(([file, command]) => {
    try {
      execFileSync(file, [command, '--help'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}

/** What kustomize makes of a folder, given below deploy/kubernetes or whole. */
export const render = ([file, command]: readonly [string, string], overlay: string): readonly Manifest[] =>
  parseManifests(execFileSync(file, [command, path.resolve(folder, overlay)], { encoding: 'utf8' }));
