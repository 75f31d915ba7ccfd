import { type SiteResponse, send } from '@daybook/testing/send';

/** `OPERATOR_TOKEN` of a test's running site. */
export const operatorToken = 'operator-token-of-a-test';

export const bearer = { Authorization: `Bearer ${operatorToken}` };

/** `METRICS_TOKEN` of every running site of a test. */
export const metricsToken = 'metrics-token-of-a-test-site';

/** Returns the text of `/metrics`. */
export const readMetrics = async (url: string): Promise<string> =>
  (await send(url, '/metrics', { headers: { Authorization: `Bearer ${metricsToken}` } })).text;

type Fields = Readonly<Record<string, string>>;

const formType = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Makes a change on the operator's page, like a script. */
export function changeRelease(url: string, fields: Fields): Promise<SiteResponse> {
  const body = new URLSearchParams(fields).toString();
  return send(url, '/_releases', { method: 'POST', body, headers: { ...bearer, ...formType } });
}

/** A browser on the operator's page: stores cookies, and sends forms with the CSRF token of the page it saw last. */
export class OperatorBrowser {
  readonly cookies = new Map<string, string>();
  csrfToken = '';
  readonly #url: string;
  readonly #headers: Fields;

  /** @param headers sent with every request */
  constructor(url: string, headers: Fields = {}) {
    this.#url = url;
    this.#headers = headers;
  }

  get(path = '/_releases', headers: Fields = {}): Promise<SiteResponse> {
    return this.#send(path, { headers: this.#allHeaders(headers) });
  }

  post(path: string, fields: Fields, headers: Fields = {}): Promise<SiteResponse> {
    const body = new URLSearchParams({ _csrf: this.csrfToken, ...fields }).toString();
    const sent = { Origin: this.#url, ...formType, ...this.#allHeaders(headers) };
    return this.#send(path, { method: 'POST', body, headers: sent });
  }

  async signIn(name = 'Ann', token = operatorToken): Promise<SiteResponse> {
    await this.get();
    const response = await this.post('/_releases/session', { token, name });
    await this.get();
    return response;
  }

  #allHeaders(headers: Fields): Fields {
    const Cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { ...(Cookie ? { Cookie } : {}), ...this.#headers, ...headers };
  }

  async #send(path: string, sent: Parameters<typeof send>[2]): Promise<SiteResponse> {
    const response = await send(this.#url, path, sent);
    for (const cookie of response.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value) this.cookies.set(name, value);
      else this.cookies.delete(name);
    }
    this.csrfToken = /name="_csrf" value="([^"]*)"/.exec(response.text)?.[1] ?? this.csrfToken;
    return response;
  }
}
