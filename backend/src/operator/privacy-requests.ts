import { CommandError } from '@daybook/server';
import { type Command, Option } from 'commander';
import { IsNull, LessThan } from 'typeorm';
import { PrivacyRequest } from '../privacy-requests/index.ts';
import { byOption, dayLength, parseReference, parseWholeNumber } from './arguments.ts';
import type { OperatorContext } from './context.ts';
import { countOf, table } from './output.ts';

interface ListOptions {
  readonly by?: string;
  readonly due?: number;
  readonly limit: number;
  readonly json?: true;
}

export function addPrivacyRequestCommands(requests: Command, context: OperatorContext): void {
  requests
    .command('list')
    .description('lists open requests, the most urgent first')
    .addOption(
      new Option(
        '--due [days]',
        'only overdue requests, and those due within this number of days (1 if omitted; 0: only overdue ones)',
      )
        .preset('1')
        .argParser(parseWholeNumber(0, 9_999)),
    )
    .option('--limit <number>', 'max number of requests', parseWholeNumber(1, 100_000), 50)
    .addOption(byOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Requests are recorded with PRIVACY_REQUESTS=record. It is not verified that an address belongs to its sender. Times are
in UTC.`,
    )
    .action(
      context.action(async ({ due, limit, by, json }: ListOptions) => {
        const { manager } = await context.connectForAudit(by, 'privacy-requests list', { due, limit });
        const now = Date.now();
        const [found, count] = await manager.findAndCount(PrivacyRequest, {
          where: {
            doneAt: IsNull(),
            ...(due !== undefined && { dueAt: LessThan(new Date(now + due * dayLength)) }),
          },
          order: { dueAt: 'ASC', id: 'ASC' },
          take: limit,
        });
        const rows = found.map(({ id, ...request }) => request);
        context.printResult(rows, json, () => [
          ...(count === 0 ? ['There are no such privacy requests.'] : describe(rows, now)),
          ...(count > limit ? [`The first ${countOf(limit, 'request')}; more with --limit.`] : []),
        ]);
      }),
    );
  requests
    .command('done')
    .description('marks a privacy request as done')
    .argument('<reference>', 'such as K7QM-3XTA-9VD2', parseReference)
    .addOption(byOption())
    .addHelpText('after', '\nIdempotent: later calls keep the first timestamp.')
    .action(
      context.action(async (reference: string, { by }: { by?: string }) => {
        const { manager } = await context.connectForAudit(by, 'privacy-requests done', { reference }, (before) =>
          before.findBy(PrivacyRequest, { reference }).then((found) => found.map(({ email }) => email)),
        );
        const doneAt = () => 'COALESCE(done_at, now())';
        const { affected } = await manager.update(PrivacyRequest, { reference }, { doneAt });
        if (!affected)
          throw new CommandError(
            `There is no privacy request ${reference}; operator privacy-requests list shows them.`,
          );
        context.print(`Privacy request ${reference} is done.`);
      }),
    );
}

const describe = (requests: readonly Omit<PrivacyRequest, 'id'>[], now: number) =>
  table(requests, {
    REFERENCE: ({ reference }) => reference,
    DUE: ({ dueAt }) => dueAt,
    STATE: ({ dueAt }) => (dueAt.getTime() < now ? 'OVERDUE' : 'open'),
    KIND: ({ kind }) => kind,
    ADDRESS: ({ email }) => email,
    RECEIVED: ({ receivedAt }) => receivedAt,
    FIELDS: ({ fields }) => fields,
  });
