import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhooks = Array.from(process.env.WEBHOOK_SECRET.split(','), (secret) => new Webhook(secret.trim()));
const headers = { authorization: `token ${process.env.LISTMONK_TOKEN}`, 'content-type': 'application/json' };
const [list, asked] = [Number(process.env.LISTMONK_LIST), new Set()]; // ids of events

async function receive(request) {
  const body = request.headers['content-length'] < 100_000 ? Buffer.concat(await Array.fromAsync(request)) : '';
  const { type, data } = await Promise.any(webhooks.map(async (each) => each.verify(body, request.headers)));
  const [isSignup, isErasure] = [type === 'signup.created', /^subscriber\.(expired|forgotten)$/.test(type)];
  if (!isSignup && !isErasure && !data.kind?.endsWith('unsubscribe')) return;
  const at = Date.parse(data.signedUpAt ?? data.receivedAt ?? data.expiredAt ?? data.forgottenAt);
  const options = { headers, redirect: 'error', signal: AbortSignal.timeout(9_000) }; // the backend waits for 10 s
  const listmonk = async (method, path, content) => {
    const call = { ...options, method, body: JSON.stringify(content) };
    const response = await fetch(`${process.env.LISTMONK_URL}/api/subscribers${path}`, call);
    if (!response.ok) throw new Error(`listmonk responded with ${response.status} to a ${method}`);
    return (await response.json()).data;
  };
  const query = `LOWER(subscribers.email) = '${data.email.toLowerCase().replaceAll("'", "''")}'`;
  let [person] = (await listmonk('GET', `?${new URLSearchParams({ query })}`)).results;
  const last = Date.parse(person?.attribs.siteEventAt ?? (isErasure && person?.created_at)); // NaN if there is none
  if (last > at || (!person && !isSignup) || asked.has(request.headers['webhook-id'])) return;
  if (isErasure) return listmonk('DELETE', `/${person.id}`);
  person ??= await listmonk('POST', '', { email: data.email, name: data.email.split('@')[0], status: 'enabled' });
  const isConfirmed = person.lists.some(({ id, subscription_status: is }) => id === list && is === 'confirmed');
  if (person.status === 'blocklisted' || (isConfirmed && (last === at || data.resubscribed === false))) return;
  await listmonk('PUT', '/lists', { action: 'add', status: 'unsubscribed', ids: [person.id], target_list_ids: [list] });
  await listmonk('PATCH', `/${person.id}`, { attribs: { siteEventAt: new Date(at) } }); // mails whoever is unconfirmed
  if (!isSignup) return;
  await listmonk('PUT', '/lists', { action: 'add', status: 'unconfirmed', ids: [person.id], target_list_ids: [list] });
  await listmonk('POST', `/${person.id}/optin`, {}).then(() => asked.add(request.headers['webhook-id']));
}

createServer(async (request, response) => {
  const result = await receive(request).catch((error) => error);
  if (result instanceof Error) console.error(request.headers['webhook-id'], result);
  response.writeHead(!(result instanceof Error) ? 204 : result instanceof AggregateError ? 401 : 503).end();
}).listen(process.env.PORT ?? 3000);
