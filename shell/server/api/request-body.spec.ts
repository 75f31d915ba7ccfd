import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import type { FastifyRequest } from 'fastify';
import { readBody } from './api-proxy.ts';

test('a body that its client cut off is no failure of ours, which would be logged as an error', async () => {
  const payload = Readable.from(
    (async function* () {
      yield Buffer.from('{"email":');
      throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    })(),
  );
  await expect(readBody({} as FastifyRequest, payload as IncomingMessage)).rejects.toMatchObject({
    name: 'BodyCutOffError',
    statusCode: 400,
  });
});
