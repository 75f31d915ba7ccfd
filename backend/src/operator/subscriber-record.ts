import { alignColumns, CommandError } from '@daybook/server';
import type { Command } from 'commander';
import { type DataSource, Raw } from 'typeorm';
import { EmergencyNotice } from '../emergency-notice.module.ts';
import { eventStatusOf, OutboxEvent } from '../outbox/index.ts';
import { PrivacyRequest } from '../privacy-requests/index.ts';
import { Subscriber, WaitlistEntry } from '../waitlist/index.ts';
import { byOption, parseAddress } from './arguments.ts';
import type { OperatorContext } from './context.ts';
import { countOf, table, textOf } from './output.ts';

type SubscriberRecord = Awaited<ReturnType<typeof readRecord>>;

/** Reads all data of an address in one snapshot. */
function readRecord(dataSource: DataSource, email: string) {
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
    const ofAddress = Raw((column) => `${column} ->> 'email' = :email`, { email });
    const events = await manager.find(OutboxEvent, { where: { data: ofAddress }, order: { id: 'ASC' } });
    // Includes unsubscribes of an address that differs in case only: they apply to this one, too.
    const history = [
      ...entries.map(({ id, createdAt }) => ({ at: createdAt, what: 'signup', reference: String(id) })),
      ...requests
        .filter(({ kind }) => kind === 'unsubscribe' || kind === 'ca-unsubscribe')
        .map(({ kind, receivedAt, reference }) => ({ at: receivedAt, what: kind, reference })),
    ].sort((one, other) => one.at.getTime() - other.at.getTime());
    return { email, subscriber, entries, history, emergencyNotices, privacyRequests, events };
  });
}

const isEmpty = ({ subscriber, emergencyNotices, privacyRequests, events }: SubscriberRecord) =>
  !subscriber && [emergencyNotices, privacyRequests, events].every(({ length }) => length === 0);

/** Returns a hint at subscribers whose address differs in case only: they are stored separately. */
export async function describeSimilar({ manager }: DataSource, email: string): Promise<readonly string[]> {
  const similar = Raw((column) => `lower(${column}) = lower(:email) AND ${column} <> :email`, { email });
  const subscribers = await manager.find(Subscriber, { where: { email: similar }, order: { email: 'ASC' }, take: 5 });
  const others = subscribers.map((subscriber) => subscriber.email).join(', ');
  return others === '' ? [] : [`There is ${others}: the part before the @ is case-sensitive.`];
}

export function addShowCommand(subscribers: Command, context: OperatorContext): void {
  subscribers
    .command('show')
    .description('shows all data of an address')
    .argument('<address>', 'the address to show', parseAddress)
    .addOption(byOption())
    .option('--json', 'print JSON, e.g. to respond to an access request')
    .addHelpText(
      'after',
      `
Shows registrations with all details, the history of signups and unsubscribes, emergency notices, privacy requests, and
events for the mail system. Times are in UTC.`,
    )
    .action(
      context.action(async (email: string, { by, json }: { by?: string; json?: true }) => {
        const dataSource = await context.connectForAudit(by, 'subscribers show', {});
        const record = await readRecord(dataSource, email);
        if (isEmpty(record)) {
          const similar = await describeSimilar(dataSource, email);
          throw new CommandError([`No data is stored for ${email}.`, ...similar].join(' '));
        }
        context.printResult(record, json, () => describe(record));
      }),
    );
}

/** Returns a titled table; empty without rows. */
const section = <Row extends object>(title: string, rows: readonly Row[], names: readonly (string & keyof Row)[]) =>
  rows.length === 0
    ? []
    : ['', title, ...table(rows, Object.fromEntries(names.map((name) => [name, (row: Row) => row[name]])))];

function describe({ email, subscriber, entries, history, ...rest }: SubscriberRecord): readonly string[] {
  const since = subscriber ? `subscriber since ${textOf(subscriber.createdAt)}` : 'no subscriber';
  const events = rest.events.map((event) => ({ ...event, status: eventStatusOf(event) }));
  return [
    `${email}  ${since}, ${countOf(entries.length, 'registration')}`,
    ...(subscriber?.unsubscribedAt ? [`unsubscribed on ${textOf(subscriber.unsubscribedAt)}`] : []),
    ...entries.flatMap(({ id, subscriberId, suspected, ...entry }) => [
      '',
      `REGISTRATION ${id}${suspected ? '  suspected: the honeypot field was filled in' : ''}`,
      ...alignColumns(Object.entries(entry).map(([name, value]) => [`  ${name}`, textOf(value)])),
    ]),
    ...section('HISTORY', history, ['at', 'what', 'reference']),
    ...section('EMERGENCY NOTICES', rest.emergencyNotices, ['receivedAt', 'source', 'clientTimestamp']),
    ...section('PRIVACY REQUESTS', rest.privacyRequests, [
      'receivedAt',
      'kind',
      'reference',
      'dueAt',
      'doneAt',
      'fields',
    ]),
    ...section('EVENTS', events, ['createdAt', 'type', 'status', 'attempts', 'id']),
  ];
}
