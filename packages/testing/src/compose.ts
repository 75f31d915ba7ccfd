import { execa, type Options } from 'execa';
import { root } from './workspaces.ts';

type ComposeProgram = readonly [string, ...string[]];

/** Docker Compose is a plugin of Docker, or a separate program. */
const programs: readonly ComposeProgram[] = [['docker', 'compose'], ['docker-compose']];

/** Variables that locate the engine; settings of the site in the environment are not passed on. */
const ofEngine = /^(?:PATH|HOME|TMPDIR|DOCKER_.*|XDG_.*|https?_proxy|HTTPS?_PROXY|no_proxy|NO_PROXY)$/;

/** Starts a program that talks to the engine; on failure, the result rejects with all its output. */
export function startEngineProgram([file, ...words]: ComposeProgram, folder = root, options: Options = {}) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => ofEngine.test(name)));
  return execa(file, words, { ...options, cwd: folder, env, extendEnv: false });
}

/** Runs `docker …`; returns its output. */
export const docker = async (...words: readonly string[]): Promise<string> =>
  String((await startEngineProgram(['docker', ...words])).stdout);

/** Finds Docker Compose, if an engine runs. */
export async function findCompose(): Promise<ComposeProgram | undefined> {
  const works = async (...program: ComposeProgram) =>
    (await startEngineProgram(program, root, { reject: false })).exitCode === 0;
  if (!(await works('docker', 'info'))) return undefined;
  for (const program of programs) if (await works(...program, 'version')) return program;
  return undefined;
}
