import type { Command } from 'commander';
import { ArrayContains, MoreThanOrEqual } from 'typeorm';
import { byOption, parseAddress, parseMoment, parseWholeNumber } from './arguments.ts';
import { AuditLogEntry } from './audit-log.entity.ts';
import type { OperatorContext } from './context.ts';
import { countOf, table } from './output.ts';

interface AuditLogOptions {
  readonly email?: string;
  readonly by?: string;
  readonly since?: Date;
  readonly limit: number;
  readonly json?: true;
}

export function addAuditLogCommand(program: Command, context: OperatorContext): void {
  program
    .command('audit-log')
    .description('lists who read, exported, forgot or changed what, newest first')
    .option('--email <address>', 'only what was done about this address; recorded, too', parseAddress)
    .option('--since <day|time|age>', 'only since then; days are in UTC', parseMoment)
    .option('--limit <number>', 'max number of entries', parseWholeNumber(1, 100_000), 50)
    .addOption(byOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
A command is recorded before it runs, so one that failed is listed, too. The log contains no addresses but
their hashes, made with AUDIT_KEY, for commands that name an address, a privacy request or events; the table shows their
first 12 characters. Changes of releases are in the release registry: releases log. Times are in UTC.`,
    )
    .action(
      context.action(async ({ email, since, limit, by, json }: AuditLogOptions) => {
        // Recorded with an address only: what was done about a person is personal data, the log as a whole is not.
        const { manager } = email
          ? await context.connectForAudit(by, 'audit-log', { since, limit }, async () => [email])
          : await context.connect();
        const [entries, count] = await manager.findAndCount(AuditLogEntry, {
          where: {
            ...(since && { at: MoreThanOrEqual(since) }),
            ...(email && { subjects: ArrayContains([context.subjectOf(email)]) }),
          },
          order: { id: 'DESC' },
          take: limit,
        });
        context.printResult(entries, json, () => [
          ...(count === 0 ? ['There are no such entries.'] : describe(entries)),
          ...(count > limit
            ? [`The newest ${limit} of ${countOf(count, 'entry', 'entries')}; more with --limit.`]
            : []),
        ]);
      }),
    );
}

const describe = (entries: readonly AuditLogEntry[]) =>
  table(entries, {
    WHEN: ({ at }) => at,
    OPERATOR: ({ operator }) => operator,
    COMMAND: ({ action }) => action,
    SUBJECT: ({ subjects }) => (subjects.length === 0 ? null : subjects.map((subject) => subject.slice(0, 12))),
    DETAILS: ({ details }) => (Object.keys(details).length === 0 ? null : details),
  });
