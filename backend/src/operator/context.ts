import { createHmac } from 'node:crypto';
import { escapeControls, readEnvironment } from '@daybook/server';
import { CommandError, operatorName, type Terminal, UsageError } from '@daybook/server/command-line';
import type { Command } from 'commander';
import { DataSource, type EntityManager } from 'typeorm';
import { databaseOptions, mailboxKey } from '../database/index.ts';
import { entities } from '../entities.ts';
import { operatorEnvironmentSchema } from '../environment.ts';
import { messageOf } from '../exit-with-message.ts';
import { AuditLogEntry } from './audit-log.entity.ts';

interface AuditedCommand {
  readonly action: string;
  /** Its options; no emails. */
  readonly details?: object;
  /** Reads the emails that the command is about; none of a command about all. */
  readonly emailsOf?: (manager: EntityManager) => Promise<readonly string[]>;
}

const validName = /^[^\p{C}\p{Zl}\p{Zp}]{1,60}$/u;

export class OperatorContext {
  private dataSource: DataSource | undefined;
  private auditKey: string | undefined;

  constructor(
    private readonly program: Command,
    private readonly variables: NodeJS.ProcessEnv,
    readonly terminal: Terminal,
  ) {}

  print(result: object): void {
    this.terminal.output.write(`${escapeControls(JSON.stringify(result, undefined, 2))}\n`);
  }

  /**
   * Connects, and records the command in the audit log. Before it runs: nothing is read or changed without a record.
   *
   * @throws UsageError without a valid name, before connecting
   * @throws CommandError without a database, or without the key of the audit log if it is about emails
   */
  async connect({ action, details = {}, emailsOf = async () => [] }: AuditedCommand): Promise<DataSource> {
    const operator = (this.program.opts<{ readonly by?: string }>().by ?? operatorName(this.variables)).trim();
    if (!validName.test(operator))
      throw new UsageError('Name yourself, for the audit log: --by <name>, or OPERATOR, of 1 to 60 characters.');
    if (!this.variables.DATABASE_URL && !this.variables.DATABASE_URL_FILE)
      throw new CommandError(
        'No database is configured. Set DATABASE_URL or DATABASE_URL_FILE; to use the one of npm start, start the site first.',
      );
    const environment = readEnvironment(operatorEnvironmentSchema, this.variables);
    this.auditKey = environment.AUDIT_KEY;
    const options = { ...databaseOptions(environment), applicationName: 'daybook-operator', entities };
    this.dataSource = await new DataSource(options).initialize();
    const emails = await emailsOf(this.dataSource.manager);
    const subjects = [...new Set(emails.map((email) => this.subjectOf(email)))];
    await this.dataSource.manager.insert(AuditLogEntry, { operator, action, details, subjects });
    return this.dataSource;
  }

  /** Returns what the audit log has in place of an email, once connected: a hash that nobody can test without the key. */
  subjectOf(email: string): string {
    if (this.auditKey) return createHmac('sha256', this.auditKey).update(mailboxKey(email)).digest('base64url');
    throw new CommandError(
      'AUDIT_KEY, for the audit log, is not set. Set it, or AUDIT_KEY_FILE, to the key of the site whose database this is.',
    );
  }

  action<Parameters extends unknown[]>(run: (...parameters: Parameters) => Promise<void>) {
    return async (...parameters: Parameters): Promise<void> => {
      try {
        await run(...parameters);
      } catch (error) {
        throw error instanceof CommandError ? error : new CommandError(messageOf(error));
      } finally {
        await this.dataSource?.destroy();
      }
    };
  }
}
