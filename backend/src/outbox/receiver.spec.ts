import { eventOf } from '@daybook/contract/events';
import { eventually } from '@daybook/testing/eventually';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type Reply, TestReceiver } from '../../test/support/test-receiver.ts';
import { type AttemptResult, backoff, maxAttempts, Receiver } from './receiver.ts';

const hour = 3_600_000;
const secrets = ['new', 'old'].map((name) => `whsec_${Buffer.from(name.repeat(8)).toString('base64')}`);
const event: Parameters<Receiver['attempt']>[0] = {
  id: '01890000-0000-7000-8000-000000000000',
  type: 'signup.emergency',
  createdAt: new Date('2026-11-21T12:00:00Z'),
  data: { email: 'ada@example.com', source: 'thank-you', receivedAt: '2026-11-21T12:00:00.000Z' },
  attempts: 0,
};

describe('an attempt to deliver an event', () => {
  let server: TestReceiver;
  let receiver: Receiver;
  beforeEach(async () => {
    server = await new TestReceiver().start();
    receiver = new Receiver(server.url, secrets);
  });
  afterEach(() => server.stop());

  test('sends its id and the body of the contract, signed with each secret', async () => {
    expect(await receiver.attempt(event)).toEqual({ status: 'delivered' });
    const [{ headers, body } = { headers: {}, body: '' }] = server.deliveries;
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': event.id });
    expect(JSON.parse(body)).toEqual({ type: event.type, timestamp: '2026-11-21T12:00:00.000Z', data: event.data });
    expect(eventOf('signup.emergency').parse(JSON.parse(body))).toEqual(JSON.parse(body));
    for (const secret of secrets) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  const pending = (reason: string, delay: unknown = 5_000) => ({ status: 'pending', reason, delay }) as AttemptResult;
  const responded = (status: number, rest = '') => `The receiver responded with ${status}${rest}`;
  test.each<[reply: Reply, attempts: number, result: AttemptResult]>([
    [{ status: 500 }, 0, pending(responded(500))],
    [{ status: 503, headers: { 'retry-after': '3600' } }, 0, pending(responded(503), hour)],
    [{ status: 503, headers: { 'retry-after': '1000000000' } }, 0, pending(responded(503), 24 * hour)],
    [{ status: 410 }, 0, { status: 'dead', reason: responded(410, ': it does not want this event') }],
    [{ status: 500 }, maxAttempts - 1, { status: 'dead', reason: responded(500) }],
  ])('ends as planned after a response with %j and %i attempts', async (reply, attempts, result) => {
    server.respond = () => reply;
    expect(await receiver.attempt({ ...event, attempts })).toEqual(result);
  });

  test('does not follow a redirect, which could send the email to a third party', async () => {
    const elsewhere = await new TestReceiver().start();
    server.respond = () => ({ status: 307, headers: { location: elsewhere.url } });
    const result = await receiver.attempt(event);
    await elsewhere.stop();
    expect(result).toEqual(pending(responded(307, ', a redirect; set WEBHOOK_URL to its target')));
    expect(elsewhere.deliveries).toEqual([]);
  });

  test('is repeated later if the receiver is down or does not respond in time', async () => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    server.respond = () => promise;
    const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.timeout(50));
    expect(await receiver.attempt(event)).toEqual(pending('The receiver did not respond in time'));
    expect(timeout).toHaveBeenLastCalledWith(10_000);
    timeout.mockRestore();
    resolve({ status: 204 });
    const gone = await new TestReceiver().start();
    await gone.stop();
    const down = await new Receiver(gone.url, secrets).attempt(event);
    expect(down).toEqual(pending('The receiver could not be reached (ECONNREFUSED)'));
  });

  // An unread response body crashes the process when the connection closes: docs/decisions/2026-11-22-request-framing.md.
  test('succeeds when the receiver sends a large body and closes the connection', async () => {
    server.respond = () => ({ status: 200, headers: { connection: 'close' }, body: 'x'.repeat(65_536) });
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
    const before = sockets();
    expect(await receiver.attempt(event)).toEqual({ status: 'delivered' });
    // Until the close has reached this side.
    await eventually(() => expect(sockets()).toBeLessThanOrEqual(before));
  });
});

test('an event is attempted 18 times in three days, with exponential backoff', () => {
  const delays = Array.from({ length: maxAttempts - 1 }, (_, attempts) => backoff(attempts) / 1000);
  expect(delays).toEqual([5, 15, 45, 135, 405, 1215, 3645, 10935, ...Array(9).fill(28800)]);
});
