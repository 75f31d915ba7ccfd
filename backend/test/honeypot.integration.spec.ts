import type { WaitlistEntryResponse } from '@daybook/contract/api';
import { eventKinds } from '@daybook/contract/events';
import { describe, expect, test } from '@jest/globals';
import { anAddress, completionNotice, information, privacyRequest, signUp } from './support/factories.ts';
import { runOperator } from './support/operator.ts';
import { eventsWith } from './support/outbox.ts';
import type { TestResponse } from './support/test-backend.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend } = useBackend({ PRIVACY_REQUESTS: 'record' });

/** Signs up with the honeypot field filled in. */
const signUpSuspected = (email = anAddress()) => signUp(backend, { email, topic: 'Cheap watches' });
const complete = (id: number) => backend.request('PUT', `/api/waitlist/${id}/complete`);

const isSuspected = async (id: number) =>
  (await database.query<{ suspected: boolean }>('SELECT suspected FROM waitlist_entry WHERE id = $1', [id]))[0]
    ?.suspected;

describe('a signup with the honeypot field filled in', () => {
  test('is marked in its entry and its event, and stays so when it is completed', async () => {
    const { id, email } = (await signUpSuspected()).body.entry;
    await complete(id);
    expect(await isSuspected(id)).toBe(true);
    const [created, completed, ...others] = await eventsWith(database, { email });
    expect(others).toEqual([]);
    expect(created).toMatchObject({ type: 'signup.created', data: { entryId: id, suspected: true } });
    expect(eventKinds['signup.created'].data.parse(created?.data)).toEqual(created?.data);
    expect(completed).toMatchObject({ type: 'signup.completed', data: { entryId: id } });
  });

  test('is rejected for an invalid address, like any other', async () => {
    expect((await signUpSuspected('nobody')).status).toBe(400);
  });

  test.each([[{}], [{ topic: '' }]])('does not include a signup with %p', async (others) => {
    const json = { email: anAddress(), ...others };
    const { body } = await backend.request<WaitlistEntryResponse>('POST', '/api/waitlist', { json });
    expect(await isSuspected(body.entry.id)).toBe(false);
    expect(await eventsWith(database, { email: json.email })).toMatchObject([{ data: { suspected: false } }]);
  });

  test('gets the responses of an ordinary one, from the signup to the completion notice', async () => {
    const shapeOf = ({ status, headers, body, cookie }: TestResponse) => ({
      status,
      headers: [...headers.keys()],
      body: JSON.stringify(body, (key, value) => (key === 'id' || key === 'email' ? typeof value : value)),
      cookie: cookie?.replace(/=.*/, ''),
    });
    const journeyOf = async (signup: TestResponse<WaitlistEntryResponse>) => {
      const { id, email } = signup.body.entry;
      const path = `/api/waitlist/${id}`;
      const headers = { cookie: signup.cookie ?? '' };
      return [
        signup,
        await backend.request('GET', `/api/waitlist/by-email?email=${encodeURIComponent(email)}`, { headers }),
        await backend.request('PUT', `${path}/step/2`),
        await complete(id),
        await backend.request('POST', `${path}/notify-complete`, { json: completionNotice() }),
        await backend.request('PUT', path, { json: information() }),
        await backend.request('PUT', `${path}/offers`, { json: { selectedOffers: ['vivint'] } }),
        await backend.request('PUT', `${path}/update-client-info`),
      ].map(shapeOf);
    };
    expect(await journeyOf(await signUpSuspected())).toEqual(await journeyOf(await signUp(backend)));
  });

  test('reports that it ended an unsubscribe, like any other', async () => {
    const { email } = (await signUp(backend)).body.entry;
    await backend.request('POST', '/api/privacy-requests', { json: privacyRequest({ email }) });
    const { id } = (await signUpSuspected(email)).body.entry;
    expect(await eventsWith(database, { entryId: id })).toMatchObject([
      { data: { resubscribed: true, suspected: true } },
    ]);
  });

  test('is reported once a day, and keeps back no signup of a person', async () => {
    const email = anAddress();
    for (let count = 0; count < 5; count += 1) await signUpSuspected(email);
    await signUp(backend, { email });
    for (let count = 0; count < 5; count += 1) await signUpSuspected(email);
    const sent = async () => (await eventsWith(database, { email })).map(({ data }) => data.suspected);
    expect(await sent()).toEqual([true, false]);
    await database.query('UPDATE subscriber SET last_signup_on = CURRENT_DATE - 1 WHERE email = $1', [email]);
    await Promise.all(Array.from({ length: 5 }, () => signUpSuspected(email)));
    expect(await sent()).toEqual([true, false, true]);
  });

  test('is counted as suspected by `operator stats` until it is completed, and always flagged by `subscribers show`', async () => {
    const countOf = async () => {
      const { output } = await runOperator(database, ['stats', '--json']);
      const { subscribers, days } = JSON.parse(output);
      return { subscribers: subscribers.suspected, today: days.at(-1).suspected };
    };
    const show = async (email: string) => (await runOperator(database, ['subscribers', 'show', email])).output;
    const before = await countOf();
    const { id, email } = (await signUpSuspected()).body.entry;
    expect(await countOf()).toEqual({ subscribers: before.subscribers + 1, today: before.today + 1 });
    await complete(id);
    expect(await countOf()).toEqual(before);
    expect(await show(email)).toContain('suspected');
  });
});
