import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

/** The mail system of the kill suite: keeps a line of every signed event before it answers, as an honest one does. */

const { PORT, WEBHOOK_SECRET = '', ARRIVED_FILE = '' } = process.env;
const webhook = new Webhook(WEBHOOK_SECRET);

/** Of so many events it refuses one that it has kept, so that repeats come. */
const refusesOneIn = 40;
let kept = 0;

createServer(async (request, response) => {
  try {
    const event = webhook.verify(await text(request), request.headers as Record<string, string>) as object;
    appendFileSync(ARRIVED_FILE, `${JSON.stringify({ id: request.headers['webhook-id'], ...event })}\n`);
    response.writeHead(++kept % refusesOneIn === 0 ? 503 : 204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(Number(PORT), '127.0.0.1');
