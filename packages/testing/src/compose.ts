import { execa, type Options } from 'execa';
import { root } from './workspaces.ts';

/** How Docker Compose is called: as a plugin of Docker, or as a program of its own. */
export type ComposeProgram = readonly [string, ...string[]];

const programs: readonly ComposeProgram[] = [['docker', 'compose'], ['docker-compose']];

/** Variables that lead to the engine; no setting of the site that happens to be in the environment gets through. */
const ofEngine = /^(?:PATH|HOME|TMPDIR|DOCKER_.*|XDG_.*|https?_proxy|HTTPS?_PROXY|no_proxy|NO_PROXY)$/;

/** Starts a program that talks to the engine; the result rejects with all that it printed where it fails. */
export function startEngineProgram([file, ...words]: ComposeProgram, folder = root, options: Options = {}) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => ofEngine.test(name)));
  return execa(file, words, { ...options, cwd: folder, env, extendEnv: false });
}

/** Runs `docker …`; returns what it prints. */
export const docker = async (...words: readonly string[]): Promise<string> =>
  String((await startEngineProgram(['docker', ...words])).stdout);

/** Finds Docker Compose and an engine that runs; `undefined` where one of them is missing. */
export async function findCompose(): Promise<ComposeProgram | undefined> {
  const works = async (...program: ComposeProgram) =>
    (await startEngineProgram(program, root, { reject: false })).exitCode === 0;
  if (!(await works('docker', 'info'))) return undefined;
  for (const program of programs) if (await works(...program, 'version')) return program;
  return undefined;
}
