import { CommandError, type Terminal } from '@daybook/server';
import { DataSource } from 'typeorm';
import { databaseOptions } from '../database/index.ts';
import { EmergencyNotice } from '../emergency-notice.module.ts';
import { databaseEnvironmentSchema, readEnvironment } from '../environment.ts';
import { messageOf } from '../exit-with-message.ts';
import { OutboxEvent } from '../outbox/index.ts';
import { PrivacyRequest } from '../privacy-requests/index.ts';
import { Subscriber, WaitlistEntry } from '../waitlist/index.ts';
import { ForgottenCount } from './forgotten-count.entity.ts';

const entities = [Subscriber, WaitlistEntry, EmergencyNotice, PrivacyRequest, OutboxEvent, ForgottenCount];

/** What the commands share: the database, and how they end. */
export class OperatorContext {
  private dataSource: DataSource | undefined;
  /** Whether a command ended early because it was asked to. */
  wasStopped = false;

  /**
   * @param variables of the environment
   * @param stop aborted when the operator wants the command to end
   */
  constructor(
    private readonly variables: NodeJS.ProcessEnv,
    readonly stop: AbortSignal,
    readonly terminal: Terminal,
  ) {}

  print(...lines: readonly string[]): void {
    this.terminal.output.write(lines.map((line) => `${line}\n`).join(''));
  }

  /** Prints the result of a command: as JSON for programs, or as lines for people. */
  printResult(result: object, isJson: boolean | undefined, describe: () => readonly string[]): void {
    this.print(...(isJson ? [JSON.stringify(result, undefined, 2)] : describe()));
  }

  /** @throws CommandError where no variable names a database, or the driver's error */
  async connect(): Promise<DataSource> {
    if (!this.variables.DATABASE_URL && !this.variables.DATABASE_URL_FILE)
      throw new CommandError(
        'There is no database to work on. Set DATABASE_URL or DATABASE_URL_FILE; for that of npm start, start the site first.',
      );
    const options = databaseOptions(readEnvironment(databaseEnvironmentSchema, this.variables));
    this.dataSource = await new DataSource({ ...options, applicationName: 'daybook-operator', entities }).initialize();
    return this.dataSource;
  }

  /** The action of a command: disconnects at its end, and reports what the operator can put right in one line. */
  action<Parameters extends unknown[]>(run: (...parameters: Parameters) => Promise<void>) {
    return async (...parameters: Parameters): Promise<void> => {
      try {
        await run(...parameters);
      } catch (error) {
        if (!this.stop.aborted) throw error instanceof CommandError ? error : new CommandError(messageOf(error));
        this.wasStopped = true;
      } finally {
        await this.dataSource?.destroy();
      }
    };
  }
}
