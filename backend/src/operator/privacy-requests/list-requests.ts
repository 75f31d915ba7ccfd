import { alignColumns } from '@daybook/server';
import { type ListedRequest, PrivacyRequestRepository } from '../../privacy-requests/index.ts';
import { type Command, print, printJson } from '../command-line/command.ts';
import { readChoice, readDue, readWholeNumber } from '../command-line/values.ts';
import { countOf, momentOf, printable } from '../output/printable.ts';

const states = ['open', 'done'] as const;
const defaultLimit = 50;
const highestLimit = 100_000;

export const listRequests: Command = {
  name: 'privacy-requests list',
  summary: 'what visitors asked for on the privacy pages, the most urgent first',
  options: { due: { type: 'string' }, state: { type: 'string' }, limit: { type: 'string' }, json: { type: 'boolean' } },
  withoutValue: { due: 'today' },
  help: [
    '  --due <day|days>    those due up to the end of a day such as 2026-12-01, or within so many days; 0 are the overdue;',
    '                      without a value, those due up to the end of today',
    '  --state open|done   open where left out',
    `  --limit <number>    at most so many; ${defaultLimit} where left out`,
    '  --json              the same for programs',
    '',
    'Requests are recorded where PRIVACY_REQUESTS=record. Nobody checked that an address belongs to who sent it. Times',
    'are in UTC.',
  ],
  run: async (given, workplace) => {
    const [due, state, limit] = [given.text('due'), given.text('state'), given.text('limit')];
    const wanted = {
      state: readChoice(state ?? 'open', '--state', states),
      ...(due === undefined ? {} : { dueBefore: readDue(due, '--due') }),
    };
    const highest = limit === undefined ? defaultLimit : readWholeNumber(limit, '--limit', 1, highestLimit);
    const requests = new PrivacyRequestRepository(await workplace.connect());
    // One more tells whether there are more.
    const found = await requests.list({ ...wanted, limit: highest + 1 });
    const shown = found.slice(0, highest);
    if (given.has('json')) printJson(workplace, shown);
    else print(workplace, describe(shown, found.length > highest, Date.now()));
  },
};

function stateOf({ doneAt, dueAt }: ListedRequest, now: number): string {
  if (doneAt) return `done ${momentOf(doneAt)}`;
  return dueAt.getTime() < now ? 'OVERDUE' : 'open';
}

/** What was filled in beside the address, such as `name: Ada, requestType: access`. */
const fieldsOf = ({ fields }: ListedRequest) =>
  printable(
    Object.entries(fields)
      .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(' ') : value}`)
      .join(', '),
  );

function describe(requests: readonly ListedRequest[], isMore: boolean, now: number): readonly string[] {
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
      fieldsOf(request),
    ]),
  ]);
  return isMore ? [...table, `The first ${countOf(requests.length, 'request')}; more with --limit.`] : table;
}
