import { type Command, print, printJson, type Workplace } from '../command-line/command.ts';
import { OperatorError } from '../command-line/errors.ts';
import { readAddress } from '../command-line/values.ts';
import { confirm } from '../output/confirm.ts';
import { countOf } from '../output/printable.ts';
import { type Erasure, erase } from './erasure.ts';
import { describeSimilar, describeUnknown, readRecord, type SubscriberRecord } from './subscriber-record.ts';

export const forgetSubscriber: Command = {
  name: 'subscribers forget',
  summary: 'removes all that is kept of an address',
  words: ['<address>'],
  options: { yes: { type: 'boolean' }, 'no-event': { type: 'boolean' }, json: { type: 'boolean' } },
  help: [
    '  --yes        do it without asking; needed where there is no terminal',
    '  --no-event   tell the mail system nothing, and no longer what waits to be told: where you have none,',
    '               or told it yourself',
    '  --json       what was removed, for programs',
    '',
    'Removes subscriber, registrations with client details, emergency notices, and the events of the address,',
    'delivered or not. A number by month and status stays. An event subscriber.forgotten tells the mail system to do',
    'the same; it holds the address, is kept until it was taken, and loses the address then. Backups made before still',
    'have everything: forget the address again after restoring one. Privacy requests are kept for as long as the Privacy',
    'Policy says, to show that they were answered.',
  ],
  run: async (given, workplace) => {
    const email = readAddress(given.words[0] ?? '');
    const tell = !given.has('no-event');
    const dataSource = await workplace.connect();
    const record = await readRecord(dataSource, email);
    if (!record || hasNothingToForget(record, tell)) {
      const lines = record ? describeRest(record) : [await describeUnknown(dataSource, email)];
      if (given.has('json')) printJson(workplace, { email, found: false });
      else print(workplace, [...lines, 'There is nothing to forget.']);
      return;
    }
    if (!given.has('yes')) await ask(record, workplace);
    const erasure = await erase(dataSource, email, tell);
    if (given.has('json')) return printJson(workplace, { ...erasure, found: true });
    print(workplace, [...describe(erasure), ...(await describeSimilar(dataSource, email))]);
  },
};

const forgottenEvents = ({ events }: SubscriberRecord) => events.filter(({ type }) => type === 'subscriber.forgotten');

/** Whether there is nothing but what is kept: privacy requests, and that the mail system is to be told. */
const hasNothingToForget = (record: SubscriberRecord, tell: boolean) =>
  !record.subscriber &&
  record.emergency_notices.length === 0 &&
  record.events.length === (tell ? forgottenEvents(record).length : 0);

function describeRest(record: SubscriberRecord): readonly string[] {
  const [event] = forgottenEvents(record);
  return [
    ...(event ? [`${record.email} was forgotten before; the mail system is yet to take the event ${event.id}.`] : []),
    ...describeRequests(record.privacy_requests.length),
  ];
}

const describeRequests = (count: number): readonly string[] =>
  count === 0 ? [] : [`Kept, as the Privacy Policy says: ${countOf(count, 'privacy request')}.`];

async function ask(record: SubscriberRecord, workplace: Workplace): Promise<void> {
  const { email, entries, emergency_notices, events } = record;
  const what = [
    countOf(entries.length, 'registration'),
    countOf(emergency_notices.length, 'emergency notice'),
    countOf(events.length, 'event'),
  ];
  if (await confirm(`Forget ${email} for good, with ${what.join(', ')}?`, workplace)) return;
  throw new OperatorError('Nothing was removed.');
}

function describe(erasure: Erasure): readonly string[] {
  const { email, subscriber, entries, emergencyNotices, events, undelivered, privacyRequests, event } = erasure;
  const lost = undelivered === 0 ? '' : ` (${undelivered} of which the mail system never took)`;
  return [
    `${email} is forgotten. Removed:`,
    `  ${countOf(subscriber ? 1 : 0, 'subscriber')}, ${countOf(entries, 'registration')} with client details`,
    `  ${countOf(emergencyNotices, 'emergency notice')}, ${countOf(events, 'event')}${lost}`,
    event === undefined
      ? 'The mail system is told nothing.'
      : `The mail system is told by event ${event}, subscriber.forgotten, in half a minute at the earliest.`,
    ...describeRequests(privacyRequests),
  ];
}
