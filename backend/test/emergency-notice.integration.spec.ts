import { describe, expect, test } from '@jest/globals';
import { emergencyNotice } from './support/factories.ts';
import { useBackend } from './support/use-backend.ts';

const { database, backend } = useBackend();

const give = (notice: object) => backend.request('POST', '/api/emergency-webhook', { json: notice });
const stored = (email: string) => database.query('SELECT * FROM emergency_notice WHERE email = $1', [email]);

describe('an emergency notice', () => {
  test('is acknowledged and stored, also for an address without a signup', async () => {
    const notice = emergencyNotice();
    const { status, body } = await give(notice);
    expect({ status, body }).toEqual({ status: 200, body: { success: true } });
    expect(await stored(notice.email)).toMatchObject([
      { source: notice.source, client_timestamp: new Date(notice.timestamp), received_at: expect.any(Date) },
    ]);
  });

  test('is stored again on another day', async () => {
    const notice = emergencyNotice();
    await give(notice);
    await database.query("UPDATE emergency_notice SET received_at = received_at - interval '1 day' WHERE email = $1", [
      notice.email,
    ]);
    await give(notice);
    expect(await stored(notice.email)).toHaveLength(2);
  });

  test('accepts an extreme but valid timestamp', async () => {
    expect((await give(emergencyNotice({ timestamp: '0000-01-01T00:00:00Z' }))).status).toBe(200);
    expect((await give(emergencyNotice({ timestamp: '9999-12-31T23:59:59-23:59' }))).status).toBe(200);
  });
});
