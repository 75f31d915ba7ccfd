import { cpus, release, totalmem, type } from 'node:os';

/** On what was measured, and when. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  /** In GB. */
  readonly memory: number;
  readonly system: string;
  readonly node: string;
  /** ISO 8601, UTC. */
  readonly time: string;
}

/** This machine, now. */
export function describeMachine(): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memory: Math.round(totalmem() / 1e9),
    system: `${type()} ${release()}`,
    node: process.version,
    time: new Date().toISOString(),
  };
}

/** The machine in a sentence. */
export const machineSentence = ({ processor, cores, memory, system, node, time }: Machine): string =>
  `Measured on ${time.slice(0, 10)}: ${processor}, ${cores} cores, ${memory} GB, ${system}, Node ${node.slice(1)}.`;
