import type { ParseArgsOptionsConfig } from 'node:util';
import type { DataSource } from 'typeorm';
import type { DatabaseEnvironment } from '../../environment.ts';
import type { Given } from './given.ts';

/** Where a command reads and writes; the process's own streams, outside of tests. */
export interface Terminal {
  readonly input: NodeJS.ReadStream;
  /** Results alone: a script may read them. */
  readonly output: NodeJS.WriteStream;
  /** Progress, questions and errors. */
  readonly errors: NodeJS.WriteStream;
}

/** What a command works with. */
export interface Workplace {
  readonly terminal: Terminal;
  /** Where the database is. @throws OperatorError where nothing says so */
  environment(): DatabaseEnvironment;
  /** Connects at the first call; a command looks at what it was given before. */
  connect(): Promise<DataSource>;
  /** Aborted when the operator wants it to end. */
  readonly stop: AbortSignal;
}

/** One of the operator's commands. */
export interface Command {
  /** The words that call it, such as `subscribers export`. */
  readonly name: string;
  /** What it does, in some words. */
  readonly summary: string;
  /** The words after the name, such as `<address>`; one that ends with `…` may be given many times, or not at all. */
  readonly words?: readonly string[];
  readonly options: ParseArgsOptionsConfig;
  /** What an option means that takes a value, where it is written without one. */
  readonly withoutValue?: Readonly<Record<string, string>>;
  /** Lines on what the options mean, and on what there is to know. */
  readonly help: readonly string[];
  /** @throws UsageError or OperatorError */
  run(given: Given, workplace: Workplace): Promise<void>;
}

/** Prints lines as the result of a command. */
export function print({ terminal }: Workplace, lines: readonly string[]): void {
  terminal.output.write(lines.map((line) => `${line}\n`).join(''));
}

/** Prints a result for a script. */
export const printJson = (workplace: Workplace, result: unknown): void =>
  print(workplace, [JSON.stringify(result, undefined, 2)]);
