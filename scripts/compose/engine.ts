import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { CommandError } from '../run-command.ts';

const run = promisify(execFile);

/** How `docker compose` is called on this machine: as a plugin of Docker, or as a program of its own. */
export type ComposeProgram = readonly [string, ...string[]];

const programs: readonly ComposeProgram[] = [['docker', 'compose'], ['docker-compose']];

/** Whether a program can be started and ends with code 0. */
const works = async ([file, ...words]: ComposeProgram, ...more: readonly string[]) =>
  run(file, [...words, ...more]).then(
    () => true,
    () => false,
  );

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

/** Everything that a build prints. */
const outputLimit = 100_000_000;

/**
 * Runs a program to its end.
 *
 * @returns what it wrote to standard output
 * @throws CommandError with what it said where its exit code is not 0
 */
export async function output(
  [file, ...words]: ComposeProgram,
  parameters: readonly string[],
  folder?: string,
): Promise<string> {
  const options = { cwd: folder, env: engineEnvironment(), maxBuffer: outputLimit };
  try {
    return (await run(file, [...words, ...parameters], options)).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new CommandError(`${[file, ...words, ...parameters].join(' ')} failed:\n${stdout ?? ''}${stderr ?? error}`);
  }
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
