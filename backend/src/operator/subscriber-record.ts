import { alignColumns, CommandError } from '@daybook/server';
import type { Command } from 'commander';
import { type DataSource, Raw } from 'typeorm';
import { EmergencyNotice } from '../emergency-notice/index.ts';
import { eventStatusOf, OutboxEvent } from '../outbox/index.ts';
import { PrivacyRequest } from '../privacy-requests/index.ts';
import { Subscriber, WaitlistEntry } from '../waitlist/index.ts';
import { parseAddress } from './arguments.ts';
import type { OperatorContext } from './context.ts';
import { countOf, momentOf, printable, rowOf } from './output.ts';

export type SubscriberRecord = NonNullable<Awaited<ReturnType<typeof readRecord>>>;

/** Everything that is kept of an address, as of one moment; undefined where there is nothing. */
export function readRecord(dataSource: DataSource, email: string) {
  return dataSource.transaction('REPEATABLE READ', async (manager) => {
    const subscriber = await manager.findOneBy(Subscriber, { email });
    const entries = await manager.find(WaitlistEntry, {
      where: { subscriber: { email } },
      order: { createdAt: 'ASC' },
    });
    const emergencyNotices = await manager.find(EmergencyNotice, { where: { email }, order: { receivedAt: 'ASC' } });
    const inAnyCase = Raw((column) => `lower(${column}) = lower(:email)`, { email });
    const requests = await manager.find(PrivacyRequest, { where: { email: inAnyCase }, order: { receivedAt: 'ASC' } });
    const privacyRequests = requests.filter((request) => request.email === email);
    const events = await manager
      .createQueryBuilder(OutboxEvent, 'event')
      .where("data->>'email' = :email", { email })
      .orderBy('event.id')
      .getMany();
    if (!subscriber && [emergencyNotices, privacyRequests, events].every(({ length }) => length === 0))
      return undefined;
    // Unsubscribes also of an address that differs in case alone: they count for this one, too.
    const history = [
      ...entries.map(({ id, createdAt }) => ({ at: createdAt, what: 'signup', reference: String(id) })),
      ...requests
        .filter(({ kind }) => kind === 'unsubscribe' || kind === 'ca-unsubscribe')
        .map(({ kind, receivedAt, reference }) => ({ at: receivedAt, what: kind, reference })),
    ].sort((one, other) => one.at.getTime() - other.at.getTime());
    return { email, subscriber, entries, history, emergencyNotices, privacyRequests, events };
  });
}

/** Names addresses that differ from one in upper and lower case alone: to us they are others. */
export async function describeSimilar({ manager }: DataSource, email: string): Promise<readonly string[]> {
  const similar = Raw((column) => `lower(${column}) = lower(:email) AND ${column} <> :email`, { email });
  const subscribers = await manager.find(Subscriber, { where: { email: similar }, order: { email: 'ASC' }, take: 5 });
  const others = subscribers.map((subscriber) => subscriber.email).join(', ');
  return others === '' ? [] : [`There is ${others}: upper and lower case count before the @.`];
}

/** That nothing is kept of an address, and whether one that looks like it is known. */
export const describeUnknown = async (dataSource: DataSource, email: string): Promise<string> =>
  [`Nothing is kept of ${email}.`, ...(await describeSimilar(dataSource, email))].join(' ');

export function addShowCommand(subscribers: Command, context: OperatorContext): void {
  subscribers
    .command('show')
    .description('all that is kept of an address')
    .argument('<address>', 'of which everything is shown', parseAddress)
    .option('--json', 'the same for programs, and for whoever asked what is kept of them')
    .addHelpText(
      'after',
      `
Registrations with all their details, the history of signups and unsubscribes, emergency notices, privacy requests,
and events for the mail system. Times are in UTC.`,
    )
    .action(
      context.action(async (email: string, { json }: { json?: true }) => {
        const dataSource = await context.connect();
        const record = await readRecord(dataSource, email);
        if (!record) throw new CommandError(await describeUnknown(dataSource, email));
        if (json) context.printJson(rowsOf(record));
        else context.print(describe(record));
      }),
    );
}

/** A record in the names of the database. */
const rowsOf = ({ email, subscriber, history, ...rest }: SubscriberRecord) => ({
  email,
  subscriber: subscriber && rowOf(subscriber),
  entries: rest.entries.map(rowOf),
  history,
  emergency_notices: rest.emergencyNotices.map(rowOf),
  privacy_requests: rest.privacyRequests.map(rowOf),
  events: rest.events.map(rowOf),
});

/** A value for people. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '–';
  if (value instanceof Date) return momentOf(value);
  if (Array.isArray(value)) return value.join(', ') || 'none';
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

/** A row for each thing; without any, nothing. */
const table = <Row extends object>(title: string, rows: readonly Row[], columns: readonly (string & keyof Row)[]) =>
  rows.length === 0
    ? []
    : ['', title, ...alignColumns([columns, ...rows.map((row) => columns.map((column) => textOf(row[column])))])];

function describe({ email, subscriber, entries, history, ...rest }: SubscriberRecord): readonly string[] {
  const since = subscriber ? `subscriber since ${textOf(subscriber.createdAt)}` : 'no subscriber';
  const events = rest.events.map((event) => ({ ...event, status: eventStatusOf(event) }));
  return [
    `${email}  ${since}, ${countOf(entries.length, 'registration')}`,
    ...(subscriber?.unsubscribedAt ? [`unsubscribed on ${textOf(subscriber.unsubscribedAt)}`] : []),
    ...entries.flatMap(({ id, subscriberId, suspected, ...entry }) => [
      '',
      `REGISTRATION ${id}${suspected ? '  suspected: the field that people do not see was filled in' : ''}`,
      ...alignColumns(Object.entries(rowOf(entry)).map(([name, value]) => [`  ${name}`, textOf(value)])),
    ]),
    ...table('HISTORY', history, ['at', 'what', 'reference']),
    ...table('EMERGENCY NOTICES', rest.emergencyNotices, ['receivedAt', 'source', 'clientTimestamp']),
    ...table('PRIVACY REQUESTS', rest.privacyRequests, [
      'receivedAt',
      'kind',
      'reference',
      'dueAt',
      'doneAt',
      'fields',
    ]),
    ...table('EVENTS', events, ['createdAt', 'type', 'status', 'attempts', 'id']),
  ];
}
