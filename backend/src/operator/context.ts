import {
  CommandError,
  escapeControls,
  operatorName,
  printableLine,
  readEnvironment,
  type Terminal,
  UsageError,
} from '@daybook/server';
import { DataSource, type EntityManager } from 'typeorm';
import { databaseOptions } from '../database/index.ts';
import { entities } from '../entities.ts';
import { operatorEnvironmentSchema } from '../environment.ts';
import { messageOf } from '../exit-with-message.ts';
import { parseOperatorName } from './arguments.ts';
import { AuditLogEntry } from './audit-log.entity.ts';
import { subjectOf } from './audit-subject.ts';

/** Shared by the commands: database connection, output and error handling. */
export class OperatorContext {
  private dataSource: DataSource | undefined;
  private auditKey: string | undefined;
  /** Whether the operator aborted the command. */
  wasStopped = false;

  /**
   * @param variables environment variables
   * @param stop aborted on Ctrl-C
   */
  constructor(
    private readonly variables: NodeJS.ProcessEnv,
    readonly stop: AbortSignal,
    readonly terminal: Terminal,
  ) {}

  print(...lines: readonly string[]): void {
    this.terminal.output.write(lines.map((line) => `${printableLine(line)}\n`).join(''));
  }

  /** Prints the result of a command as JSON or as text. */
  printResult(result: object, isJson: boolean | undefined, describe: () => readonly string[]): void {
    if (isJson) this.terminal.output.write(`${escapeControls(JSON.stringify(result, undefined, 2))}\n`);
    else this.print(...describe());
  }

  /** @throws CommandError if no variable names a database, or the driver's error */
  async connect(): Promise<DataSource> {
    if (!this.variables.DATABASE_URL && !this.variables.DATABASE_URL_FILE)
      throw new CommandError(
        'No database is configured. Set DATABASE_URL or DATABASE_URL_FILE; to use the one of npm start, start the site first.',
      );
    const environment = readEnvironment(operatorEnvironmentSchema, this.variables);
    this.auditKey = environment.AUDIT_KEY;
    const options = databaseOptions(environment);
    this.dataSource = await new DataSource({ ...options, applicationName: 'daybook-operator', entities }).initialize();
    return this.dataSource;
  }

  /**
   * Connects, and records the command in the audit log. Before it runs: what was attempted is recorded as well, and nothing
   * is read or changed without a record.
   *
   * @param by the option `--by`
   * @param action the words of the command
   * @param details its options; no addresses
   * @param addressesOf reads the addresses that the command is about; none of a command about all
   * @throws UsageError without a valid name, before connecting
   * @throws CommandError without the key, if it is about addresses
   */
  async connectForAudit(
    by: string | undefined,
    action: string,
    details: object,
    addressesOf: (manager: EntityManager) => Promise<readonly string[]> = async () => [],
  ): Promise<DataSource> {
    const operator = by ?? this.operator();
    const dataSource = await this.connect();
    const addresses = await addressesOf(dataSource.manager);
    const subjects = [...new Set(addresses.map((address) => this.subjectOf(address)))];
    await dataSource.manager.insert(AuditLogEntry, { operator, action, details, subjects });
    return dataSource;
  }

  /** Returns what the audit log has in place of an address, once connected. */
  subjectOf(address: string): string {
    if (this.auditKey) return subjectOf(address, this.auditKey);
    throw new CommandError(
      'AUDIT_KEY, for the audit log, is not set. Set it, or AUDIT_KEY_FILE, to the key of the site whose database this is.',
    );
  }

  /** Returns the name of the operator without `--by`. */
  private operator(): string {
    const name = operatorName(this.variables);
    if (!name) throw new UsageError('Name yourself, for the audit log: --by <name>');
    try {
      return parseOperatorName(name);
    } catch (error) {
      throw new UsageError(`OPERATOR, for the audit log: ${(error as Error).message} Set it, or use --by <name>.`);
    }
  }

  /** Wraps a command's action: disconnects at the end, and reports errors that the operator can fix in one line. */
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
