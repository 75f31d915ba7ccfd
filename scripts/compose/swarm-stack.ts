import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '@daybook/server';
import { docker, output } from '@daybook/testing/compose';

/** How often a state is looked at again, in ms. */
const interval = 500;

const lines = (text: string) => text.split('\n').filter(Boolean);

/**
 * Waits for a state.
 *
 * @param limit in ms
 * @throws CommandError that names it where it does not come
 */
export async function until(state: string, limit: number, holds: () => Promise<boolean>): Promise<void> {
  const from = performance.now();
  while (!(await holds())) {
    if (performance.now() - from > limit) throw new CommandError(`After ${limit / 1000} s: not yet ${state}.`);
    await delay(interval);
  }
}

/** Why this machine's engine must not join a swarm and leave it again; `undefined` where it may. */
export async function whyNoSwarm(): Promise<string | undefined> {
  const state = await docker('info', '--format', '{{.Swarm.LocalNodeState}}');
  if (state.trim() !== 'inactive') return 'this engine belongs to a swarm';
  // They would no longer find each other by name: docs/decisions/2026-11-22-multiple-machines.md.
  return lines(await docker('ps', '--quiet')).length > 0 ? 'other containers run on this engine' : undefined;
}

/** A stack on the swarm of this machine, deployed by deploy/swarm/deploy.sh from a folder with its sources and `.env`. */
export class SwarmStack {
  readonly name: string;
  readonly #folder: string;

  constructor(name: string, folder: string) {
    this.name = name;
    this.#folder = folder;
  }

  /** Deploys what the folder says now; ends before the tasks have changed. */
  async deploy(): Promise<void> {
    // No registry has these images.
    await output(['sh', 'deploy/swarm/deploy.sh'], ['--name', this.name, '--resolve-image', 'never'], this.#folder);
  }

  /**
   * Replaces the tasks of a service one after the other; ends when all are new.
   *
   * @param version the tag of the image that they are of from then on; the same one where left out
   */
  async roll(service: string, limit: number, version?: string): Promise<void> {
    const how = version ? ['--image', `daybook/${service}:${version}`, '--no-resolve-image'] : ['--force'];
    await docker('service', 'update', ...how, '--quiet', '--detach', `${this.name}_${service}`);
    await this.updated(service, limit);
  }

  /**
   * Waits until a change of a service is done.
   *
   * @throws CommandError where the swarm took it back
   */
  async updated(service: string, limit: number): Promise<void> {
    let state = '';
    await until(`${service} is updated`, limit, async () => {
      state = await this.#updateState(service);
      // Empty for a moment, until the swarm has taken notice.
      return !['', 'updating', 'rollback_started'].includes(state);
    });
    if (state !== 'completed') throw new CommandError(`The update of ${service} ended as ${state}.`);
  }

  async #updateState(service: string): Promise<string> {
    const format = '{{if .UpdateStatus}}{{.UpdateStatus.State}}{{end}}';
    return (await docker('service', 'inspect', '--format', format, `${this.name}_${service}`)).trim();
  }

  /** Names of the services, and of how many tasks each how many run: `2/2`. */
  async replicas(): Promise<ReadonlyMap<string, string>> {
    const format = '{{.Name}} {{.Replicas}}';
    const told = lines(await docker('stack', 'services', '--format', format, this.name));
    return new Map(
      told.map((line): [string, string] => {
        const [name = '', replicas = ''] = line.split(' ');
        return [name.slice(this.name.length + 1), replicas];
      }),
    );
  }

  /** Ids of the containers that run for a service. */
  async containers(service: string): Promise<readonly string[]> {
    const label = `label=com.docker.swarm.service.name=${this.name}_${service}`;
    return lines(await docker('ps', '--quiet', '--filter', label)).sort();
  }

  /** Asks the stack's database; gives the answer's lines. */
  async query(sql: string): Promise<string> {
    const [container = ''] = await this.containers('postgres');
    const psql = ['psql', '--username=daybook', '--no-align', '--tuples-only', '-c', sql];
    return (await docker('exec', container, ...psql)).trim();
  }

  /** Takes everything down, data included. */
  async remove(limit: number): Promise<void> {
    const filter = ['--filter', `label=com.docker.stack.namespace=${this.name}`];
    await docker('stack', 'rm', this.name);
    const left = async () => [
      ...lines(await docker('ps', '--all', '--quiet', ...filter)),
      ...lines(await docker('network', 'ls', '--quiet', ...filter)),
    ];
    await until(`${this.name} is gone`, limit, async () => (await left()).length === 0);
    for (const volume of lines(await docker('volume', 'ls', '--quiet', ...filter)))
      await docker('volume', 'rm', volume);
  }
}
