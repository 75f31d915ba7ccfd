import { type SiteResponse, send } from '@daybook/testing/send';

/** `OPERATOR_TOKEN` of a test's running site. */
export const operatorToken = 'operator-token-of-a-test';

export const bearer = { Authorization: `Bearer ${operatorToken}` };

/** `METRICS_TOKEN` of every running site of a test. */
export const metricsToken = 'metrics-token-of-a-test-site';

/** Returns the text of `/metrics`. */
export const readMetrics = async (url: string): Promise<string> =>
  (await send(url, '/metrics', { headers: { Authorization: `Bearer ${metricsToken}` } })).text;

/** Makes a deployment by the API, like an operator's script. */
export function changeRelease(url: string, fields: Readonly<Record<string, string>>): Promise<SiteResponse> {
  const { remote, percent, ...rest } = fields;
  const body = JSON.stringify({ ...rest, ...(percent && { percent: Number(percent) }) });
  const headers = { ...bearer, 'Content-Type': 'application/json' };
  return send(url, `/_releases/api/${remote}/deployments`, { method: 'POST', body, headers });
}

/** Opens the operator's page, as a browser does for a person who typed a token. */
export function openReleasesPage(
  url: string,
  token = operatorToken,
  headers: Readonly<Record<string, string>> = {},
): Promise<SiteResponse> {
  const Authorization = `Basic ${Buffer.from(`ann:${token}`).toString('base64')}`;
  return send(url, '/_releases', { headers: { Authorization, ...headers } });
}
