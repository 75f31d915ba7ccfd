import { type Answer, send } from './send.ts';

/** What a running site of a test is given as its `OPERATOR_TOKEN`. */
export const operatorToken = 'operator-token-of-a-test';

export const bearer = { Authorization: `Bearer ${operatorToken}` };

type Fields = Readonly<Record<string, string>>;

const formType = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Makes a change on the operator's page, as a script would. */
export function changeRelease(address: string, fields: Fields): Promise<Answer> {
  const body = new URLSearchParams(fields).toString();
  return send(address, '/_releases', { method: 'POST', body, headers: { ...bearer, ...formType } });
}

/** A browser on the operator's page: stores cookies, and sends forms with the CSRF token of the page it saw last. */
export class OperatorBrowser {
  readonly cookies = new Map<string, string>();
  csrfToken = '';
  readonly #address: string;
  readonly #headers: Fields;

  /** @param headers sent with every request */
  constructor(address: string, headers: Fields = {}) {
    this.#address = address;
    this.#headers = headers;
  }

  get(path = '/_releases', headers: Fields = {}): Promise<Answer> {
    return this.#send(path, { headers: this.#allHeaders(headers) });
  }

  post(path: string, fields: Fields, headers: Fields = {}): Promise<Answer> {
    const body = new URLSearchParams({ _csrf: this.csrfToken, ...fields }).toString();
    const sent = { Origin: this.#address, ...formType, ...this.#allHeaders(headers) };
    return this.#send(path, { method: 'POST', body, headers: sent });
  }

  async signIn(name = 'Ann', token = operatorToken): Promise<Answer> {
    await this.get();
    const answer = await this.post('/_releases/session', { token, name });
    await this.get();
    return answer;
  }

  #allHeaders(headers: Fields): Fields {
    const Cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return { ...(Cookie ? { Cookie } : {}), ...this.#headers, ...headers };
  }

  async #send(path: string, sent: Parameters<typeof send>[2]): Promise<Answer> {
    const answer = await send(this.#address, path, sent);
    for (const cookie of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value) this.cookies.set(name, value);
      else this.cookies.delete(name);
    }
    this.csrfToken = /name="_csrf" value="([^"]*)"/.exec(answer.text)?.[1] ?? this.csrfToken;
    return answer;
  }
}
