import { alignColumns } from '@daybook/server';
import { type Command, print, printJson } from '../command-line/command.ts';
import { OperatorError } from '../command-line/errors.ts';
import { readAddress } from '../command-line/values.ts';
import { eventStatusOf } from '../events/event-status.ts';
import { countOf, momentOf, printable } from '../output/printable.ts';
import { describeUnknown, readRecord, type SubscriberRecord } from './subscriber-record.ts';

export const showSubscriber: Command = {
  name: 'subscribers show',
  summary: 'all that is kept of an address',
  words: ['<address>'],
  options: { json: { type: 'boolean' } },
  help: [
    '  --json   the same for programs, and for whoever asked what is kept of them',
    '',
    'Registrations with all their details, the history of signups and unsubscribes, emergency notices, privacy',
    'requests, and events for the mail system. Times are in UTC.',
  ],
  run: async (given, workplace) => {
    const email = readAddress(given.words[0] ?? '');
    const dataSource = await workplace.connect();
    const record = await readRecord(dataSource, email);
    if (!record) throw new OperatorError(await describeUnknown(dataSource, email));
    if (given.has('json')) printJson(workplace, record);
    else print(workplace, describe(record));
  },
};

const moment = (text: string | null) => (text === null ? '–' : momentOf(new Date(text)));
const told = (text: string | null) => (text === null ? '–' : printable(text));

function describe({
  email,
  subscriber,
  entries,
  history,
  emergency_notices,
  privacy_requests,
  events,
}: SubscriberRecord): readonly string[] {
  const since = subscriber ? `subscriber since ${moment(subscriber.created_at)}` : 'no subscriber';
  return [
    `${email}  ${since}, ${countOf(entries.length, 'registration')}`,
    ...(subscriber?.unsubscribed_at ? [`unsubscribed on ${moment(subscriber.unsubscribed_at)}`] : []),
    ...entries.flatMap((entry) => ['', ...describeEntry(entry)]),
    ...table('HISTORY', ['CHANGE', 'REFERENCE'], history, ({ at, what, reference }) => [moment(at), what, reference]),
    ...table('EMERGENCY NOTICE', ['SOURCE', 'TIME OF THE BROWSER'], emergency_notices, (notice) => [
      moment(notice.received_at),
      printable(notice.source),
      moment(notice.client_timestamp),
    ]),
    ...table('PRIVACY REQUEST', ['KIND', 'REFERENCE', 'DUE', 'DONE', 'FIELDS'], privacy_requests, (request) => [
      moment(request.received_at),
      request.kind,
      request.reference,
      moment(request.due_at),
      moment(request.done_at),
      printable(JSON.stringify(request.fields)),
    ]),
    ...table('EVENT', ['TYPE', 'STATUS', 'ATTEMPTS', 'ID'], events, (event) => [
      moment(event.created_at),
      event.type,
      eventStatusOf(event),
      String(event.attempts),
      event.id,
    ]),
  ];
}

function describeEntry(entry: SubscriberRecord['entries'][number]): readonly string[] {
  const notice =
    entry.notice_received_at === null
      ? '–'
      : `${moment(entry.notice_received_at)} from ${told(entry.notice_source)}, whose clock said ${moment(entry.notice_timestamp)}`;
  return [
    `REGISTRATION ${entry.id}${entry.suspected ? '  suspected: the field that people do not see was filled in' : ''}`,
    ...alignColumns([
      ['  signed up', moment(entry.created_at)],
      ['  step', String(entry.step)],
      ['  completed', moment(entry.completed_at)],
      ['  completion notice', notice],
      ['  offers', entry.selected_offers === null ? '–' : entry.selected_offers.join(', ') || 'none'],
      ['  name', entry.first_name === null ? '–' : printable(`${entry.first_name} ${entry.last_name}`)],
      ['  ZIP code', told(entry.zip_code)],
      ['  browser', told(entry.user_agent)],
      ['  language', told(entry.language)],
      ['  network', told(entry.network_address)],
    ]),
  ];
}

function table<Item>(
  first: string,
  others: readonly string[],
  items: readonly Item[],
  row: (item: Item) => readonly string[],
): readonly string[] {
  return items.length === 0 ? [] : ['', ...alignColumns([[first, ...others], ...items.map(row)])];
}
