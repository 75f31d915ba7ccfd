import { alignColumns, CommandError } from '@daybook/server';
import type { Command } from 'commander';
import type { DataSource } from 'typeorm';
import { sameEmail } from '../database/index.ts';
import { EmergencyNotice } from '../emergency-notice/index.ts';
import { OutboxEvent, ofEmail } from '../outbox/index.ts';
import { PrivacyRequest } from '../privacy-requests/index.ts';
import { Subscriber, WaitlistEntry } from '../waitlist/index.ts';
import { byOption, parseAddress } from './arguments.ts';
import type { OperatorContext } from './context.ts';
import { countOf, table, textOf } from './output.ts';

type SubscriberRecord = Awaited<ReturnType<typeof readRecord>>;

/** Reads all data of an address, in any spelling, in one snapshot. */
function readRecord(dataSource: DataSource, address: string) {
  return dataSource.transaction('REPEATABLE READ', async (manager) => {
    const where = { email: sameEmail(address) };
    const subscriber = await manager.findOneBy(Subscriber, where);
    const entries = await manager.find(WaitlistEntry, {
      where: { subscriberId: subscriber?.id ?? 0 },
      order: { createdAt: 'ASC' },
    });
    const emergencyNotices = await manager.find(EmergencyNotice, { where, order: { receivedAt: 'ASC' } });
    const privacyRequests = await manager.find(PrivacyRequest, { where, order: { receivedAt: 'ASC' } });
    const events = await manager.find(OutboxEvent, { where: ofEmail(address), order: { id: 'ASC' } });
    const history = [
      ...entries.map(({ id, createdAt }) => ({ at: createdAt, what: 'signup', reference: String(id) })),
      ...privacyRequests
        .filter(({ kind }) => kind === 'unsubscribe' || kind === 'ca-unsubscribe')
        .map(({ kind, receivedAt, reference }) => ({ at: receivedAt, what: kind, reference })),
    ].sort((one, other) => one.at.getTime() - other.at.getTime());
    const email = subscriber?.email ?? address;
    return { email, subscriber, entries, history, emergencyNotices, privacyRequests, events };
  });
}

const isEmpty = ({ subscriber, emergencyNotices, privacyRequests, events }: SubscriberRecord) =>
  !subscriber && [emergencyNotices, privacyRequests, events].every(({ length }) => length === 0);

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
        const dataSource = await context.connectForAudit(by, 'subscribers show', {}, async () => [email]);
        const record = await readRecord(dataSource, email);
        if (isEmpty(record)) throw new CommandError(`No data is stored for ${email}.`);
        context.printResult(record, json, () => describe(record));
      }),
    );
}

/** Returns a titled table; empty without rows. */
const section = <Row extends object>(title: string, rows: readonly Row[], names: readonly (string & keyof Row)[]) =>
  rows.length === 0
    ? []
    : ['', title, ...table(rows, Object.fromEntries(names.map((name) => [name, (row: Row) => row[name]])))];

function describe({ email, subscriber, entries, history, events, ...rest }: SubscriberRecord): readonly string[] {
  const since = subscriber ? `subscriber since ${textOf(subscriber.createdAt)}` : 'no subscriber';
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
