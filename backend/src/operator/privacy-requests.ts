import { alignColumns, CommandError } from '@daybook/server';
import { type Command, Option } from 'commander';
import { IsNull, LessThan, Not } from 'typeorm';
import { PrivacyRequest } from '../privacy-requests/index.ts';
import { parseDue, parseReference, parseWholeNumber } from './arguments.ts';
import type { OperatorContext } from './context.ts';
import { countOf, momentOf, printable } from './output.ts';

interface ListOptions {
  readonly due?: Date;
  readonly state: 'open' | 'done';
  readonly limit: number;
  readonly json?: true;
}

export function addPrivacyRequestCommands(requests: Command, context: OperatorContext): void {
  requests
    .command('list')
    .description('the most urgent first')
    .addOption(
      new Option(
        '--due [day|days]',
        'up to the end of a day such as 2026-12-01, or within so many days; 0 are the overdue',
      )
        .preset('today')
        .argParser(parseDue),
    )
    .addOption(new Option('--state <state>').choices(['open', 'done']).default('open'))
    .option('--limit <number>', 'at most so many', parseWholeNumber(1, 100_000), 50)
    .option('--json', 'the same for programs')
    .addHelpText(
      'after',
      `
Requests are recorded where PRIVACY_REQUESTS=record. Nobody checked that an address belongs to who sent it. Times are in
UTC.`,
    )
    .action(
      context.action(async ({ due, state, limit, json }: ListOptions) => {
        const { manager } = await context.connect();
        const [found, count] = await manager.findAndCount(PrivacyRequest, {
          where: { doneAt: state === 'open' ? IsNull() : Not(IsNull()), ...(due && { dueAt: LessThan(due) }) },
          order: { dueAt: 'ASC', id: 'ASC' },
          take: limit,
        });
        if (json) context.printJson(found.map(({ id, idempotencyKey, ...request }) => request));
        else context.print(describe(found, count > found.length, Date.now()));
      }),
    );
  requests
    .command('done')
    .description('notes that a privacy request was answered')
    .argument('<reference>', 'such as K7QM-3XTA-9VD2', parseReference)
    .addHelpText('after', '\nIdempotent: later calls keep the first time.')
    .action(
      context.action(async (reference: string) => {
        const { manager } = await context.connect();
        const update = manager.createQueryBuilder().update(PrivacyRequest).where({ reference });
        const { affected } = await update.set({ doneAt: () => 'COALESCE(done_at, now())' }).execute();
        if (!affected)
          throw new CommandError(
            `There is no privacy request ${reference}; operator privacy-requests list shows them.`,
          );
        context.print([`Privacy request ${reference} is done.`]);
      }),
    );
}

function stateOf({ doneAt, dueAt }: PrivacyRequest, now: number): string {
  if (doneAt) return `done ${momentOf(doneAt)}`;
  return dueAt.getTime() < now ? 'OVERDUE' : 'open';
}

/** What was filled in beside the address, such as `name: Ada, requestType: access`. */
const fieldsOf = ({ fields }: PrivacyRequest) =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(' ') : value}`)
    .join(', ');

function describe(requests: readonly PrivacyRequest[], isMore: boolean, now: number): readonly string[] {
  if (requests.length === 0) return ['There are no such privacy requests.'];
  const table = alignColumns([
    ['REFERENCE', 'DUE', 'STATE', 'KIND', 'ADDRESS', 'RECEIVED', 'FIELDS'],
    ...requests.map((request) => [
      request.reference,
      momentOf(request.dueAt),
      stateOf(request, now),
      request.kind,
      printable(request.email),
      momentOf(request.receivedAt),
      printable(fieldsOf(request)),
    ]),
  ]);
  return isMore ? [...table, `The first ${countOf(requests.length, 'request')}; more with --limit.`] : table;
}
