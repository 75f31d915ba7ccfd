import { spawn } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '@daybook/server';
import { execa } from 'execa';
import { remotes, root } from './workspaces.ts';

/** How `docker compose` is called on this machine: as a plugin of Docker, or as a program of its own. */
export type ComposeProgram = readonly [string, ...string[]];

const programs: readonly ComposeProgram[] = [['docker', 'compose'], ['docker-compose']];

/** Whether a program can be started and ends with code 0. */
const works = async ([file, ...words]: ComposeProgram, ...more: readonly string[]) =>
  (await execa(file, [...words, ...more], { reject: false })).exitCode === 0;

/** Finds Docker Compose and an engine that runs; `undefined` where one of them is missing. */
export async function findCompose(): Promise<ComposeProgram | undefined> {
  if (!(await works(['docker', 'info']))) return undefined;
  for (const program of programs) if (await works(program, 'version')) return program;
  return undefined;
}

/** Variables that lead to the engine; no setting of the site that happens to be in the environment gets through. */
const ofEngine = /^(?:PATH|HOME|TMPDIR|DOCKER_.*|XDG_.*|https?_proxy|HTTPS?_PROXY|no_proxy|NO_PROXY)$/;

export const engineEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => ofEngine.test(name)));

/**
 * Runs a program to its end.
 *
 * @returns what it wrote to standard output
 * @throws CommandError with what it said where its exit code is not 0
 */
export async function output(
  [file, ...words]: ComposeProgram,
  parameters: readonly string[],
  folder = root,
): Promise<string> {
  const options = { cwd: folder, env: engineEnvironment(), extendEnv: false, all: true, reject: false } as const;
  const { exitCode, stdout, all } = await execa(file, [...words, ...parameters], options);
  if (exitCode !== 0) throw new CommandError(`${[file, ...words, ...parameters].join(' ')} failed:\n${all}`);
  return stdout;
}

/** Runs `docker …`. */
export const docker = (...parameters: readonly string[]) => output(['docker'], parameters);

/** Starts a program whose input and output are for the caller. */
export const start = ([file, ...words]: ComposeProgram, parameters: readonly string[], folder: string) =>
  spawn(file, [...words, ...parameters], {
    cwd: folder,
    env: engineEnvironment(),
    stdio: ['pipe', 'pipe', 'ignore'],
  });

/** What of the repository the stack is made from. */
const sources = [
  'docker-compose.yml',
  '.dockerignore',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'deploy',
  'packages',
  'shell',
  'backend',
  ...remotes,
];
const isSource = (file: string) => !/[\\/](?:node_modules|dist)$/.test(file);

/** Copies what the stack is made from to a folder, where a test may change it. */
export function copySources(folder: string): void {
  for (const name of sources)
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true, filter: isSource });
}

/** Writes the settings of a stack, as its operator would. */
export function writeSettings(folder: string, settings: Readonly<Record<string, string>>): void {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(path.join(folder, '.env'), lines.join(''));
}

/** How a service's container is, in the words of `docker compose ps`. */
export interface ContainerState {
  readonly Service: string;
  readonly State: string;
  readonly Health: string;
  readonly ExitCode: number;
}

/** A compose stack of its own, in a folder that has its sources and settings. */
export class Stack {
  readonly folder: string;
  readonly program: ComposeProgram;

  constructor(folder: string, program: ComposeProgram) {
    this.folder = folder;
    this.program = program;
  }

  /** Runs `docker compose …`; gives its standard output. */
  compose(...parameters: readonly string[]): Promise<string> {
    return output(this.program, parameters, this.folder);
  }

  /** Runs a command in a service's container. */
  exec(service: string, ...command: readonly string[]): Promise<string> {
    return this.compose('exec', '-T', service, ...command);
  }

  async containers(): Promise<readonly ContainerState[]> {
    const lines = (await this.compose('ps', '--all', '--format', 'json')).split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as ContainerState);
  }

  /** The health of a service, or its state where it has no health; `absent` where there is no container. */
  async healthOf(service: string): Promise<string> {
    const found = (await this.containers()).find(({ Service }) => Service === service);
    return found ? found.Health || found.State : 'absent';
  }

  async containerId(service: string): Promise<string> {
    return (await this.compose('ps', '--all', '--quiet', service)).trim();
  }

  /** All that the engine knows of a service's container. */
  async inspect(service: string) {
    const [container] = JSON.parse(await docker('inspect', await this.containerId(service)));
    return container;
  }

  /** Asks the stack's database; gives the answer's lines. */
  async query(sql: string): Promise<string> {
    return (await this.exec('postgres', 'psql', '--username=daybook', '--no-align', '--tuples-only', '-c', sql)).trim();
  }
}
