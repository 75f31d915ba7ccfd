import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** Mail system of the kill suite: writes a line for every signed event before it responds, as a correct one must. */

const { PORT, WEBHOOK_SECRET = '', ARRIVED_FILE = '' } = process.env;
const webhook = new Webhook(WEBHOOK_SECRET);

/** Responds with 503 to one in so many stored events, to cause retries. */
const rejectsOneIn = 40;
let stored = 0;

createServer(async (request, response) => {
  try {
    const event = webhook.verify(await text(request), request.headers as Record<string, string>) as object;
    appendFileSync(ARRIVED_FILE, `${JSON.stringify({ id: request.headers['webhook-id'], ...event })}\n`);
    response.writeHead(++stored % rejectsOneIn === 0 ? 503 : 204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(Number(PORT), '127.0.0.1');
