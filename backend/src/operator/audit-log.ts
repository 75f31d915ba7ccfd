import type { Command } from 'commander';
import { MoreThanOrEqual } from 'typeorm';
import { parseMoment, parseWholeNumber } from './arguments.ts';
import { AuditLogEntry } from './audit-log.entity.ts';
import type { OperatorContext } from './context.ts';
import { countOf, table } from './output.ts';

interface AuditLogOptions {
  readonly since?: Date;
  readonly limit: number;
  readonly json?: true;
}

export function addAuditLogCommand(program: Command, context: OperatorContext): void {
  program
    .command('audit-log')
    .description('lists who read, exported, forgot or changed what, newest first')
    .option('--since <day|time|age>', 'only since then; days are in UTC', parseMoment)
    .option('--limit <number>', 'max number of entries', parseWholeNumber(1, 100_000), 50)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
A command is recorded before it runs, so one that failed is listed, too. The log contains no addresses. Changes of
releases are in the release registry: releases log. Times are in UTC.`,
    )
    .action(
      context.action(async ({ since, limit, json }: AuditLogOptions) => {
        const { manager } = await context.connect();
        const [entries, count] = await manager.findAndCount(AuditLogEntry, {
          where: since ? { at: MoreThanOrEqual(since) } : {},
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
    DETAILS: ({ details }) => (Object.keys(details).length === 0 ? null : details),
  });
