import { readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { oneLine } from '@daybook/contract/manifest';
import {
  type Change,
  changedSchema,
  logSchema,
  type Publication,
  type Published,
  publishedSchema,
  releasesApiUrl,
  releasesErrorSchema,
  remoteSchema,
  remotesSchema,
} from '@daybook/contract/release';
import { CommandError } from '@daybook/server/command-line';
import type * as z from 'zod';
import type { ReleaseBuild } from './read-build.ts';

export class SiteError extends CommandError {
  override readonly name = 'SiteError';
  /** HTTP status; `undefined` if there was no response, so that it may have been done. */
  readonly status: number | undefined;
  /** In seconds. */
  readonly retryAfter: number;

  constructor(message: string, response?: Response, options?: ErrorOptions) {
    super(message, options);
    this.status = response?.status;
    this.retryAfter = Number(response?.headers.get('retry-after') ?? Number.POSITIVE_INFINITY);
  }
}

/** In ms. */
const [requestTimeout, uploadTimeout] = [60_000, 300_000];

/** In seconds, and how often: a server takes two uploads at a time. A limit per hour is not waited for. */
const [maxWait, maxWaits] = [10, 12];

const isThisMachine = ({ hostname }: URL) =>
  /^(?:localhost|127(?:\.\d+){3})$/.test(hostname) ||
  Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === hostname.replaceAll(/[[\]]/g, '')),
  );

function describe({ status, headers, url }: Response, text: string): string {
  const target = headers.get('location');
  if (status >= 300 && status < 400 && target)
    return `redirects to ${oneLine(URL.parse(target, url)?.href ?? target)} (${status}): use that address`;
  const type = headers.get('content-type')?.split(';', 1)[0] ?? 'without a content type';
  const title = oneLine(/<title>([^<]*)/i.exec(text)?.[1] || text, 80);
  return `did not answer like a release server: ${status}, ${type}, ${title ? `“${title}”` : 'empty'}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The API of a site's releases. Its methods throw a SiteError with the reason. */
export class ReleasesClient {
  readonly #site: string;
  readonly #token: string;

  /** `allowHttp` is for a container network. @throws CommandError for a URL that the token must not be sent to */
  constructor(site: string, token: string, { allowHttp = false } = {}) {
    const url = URL.parse(site);
    if (!url || !/^https?:$/.test(url.protocol)) throw new CommandError(`${site} is not the URL of a site.`);
    if (url.protocol === 'http:' && !isThisMachine(url) && !allowHttp)
      throw new CommandError(`${url.origin} gets no token: it is sent to https: and to this machine only.`);
    this.#site = url.origin;
    this.#token = token;
  }

  readonly readAll = () => this.#ask('/', remotesSchema);
  readonly readRemote = (remote: string) => this.#ask(`/${remote}`, remoteSchema);
  readonly readLog = (remote?: string) => this.#ask(remote ? `/${remote}/log` : '/log', logSchema);

  readonly change = (change: Change) =>
    this.#ask('/changes', changedSchema, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(change),
    });

  /** Publishes a build; sends it again once if the response is lost, and while the site takes other uploads. */
  async publish(
    build: ReleaseBuild,
    publication: Publication = {},
    report: (line: string) => void = () => undefined,
  ): Promise<Published> {
    const { body, type } = await formOf(build);
    const query = new URLSearchParams(
      Object.entries(publication).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    );
    const send = () =>
      this.#ask(`/${build.release.name}/releases?${query}`, publishedSchema, {
        method: 'POST',
        headers: { 'Content-Type': type },
        body,
        signal: AbortSignal.timeout(uploadTimeout),
      });
    let [isRepeated, waits] = [false, 0];
    for (;;) {
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof SiteError)) throw error;
        if (error.status === undefined && !isRepeated) {
          isRepeated = true;
          report(`${error.message} Sending it again.`);
        } else if (error.status === 429 && error.retryAfter <= maxWait && waits < maxWaits) {
          waits += 1;
          report(`The site takes other uploads. Sending it again in ${error.retryAfter} s.`);
          await delay(error.retryAfter * 1000);
        } else throw error;
      }
    }
  }

  async #ask<Schema extends z.ZodType>(
    target: string,
    schema: Schema,
    { headers, ...options }: RequestInit = {},
  ): Promise<z.infer<Schema>> {
    const { response, text } = await fetch(`${this.#site}${releasesApiUrl}${target === '/' ? '' : target}`, {
      signal: AbortSignal.timeout(requestTimeout),
      redirect: 'manual',
      ...options,
      headers: { ...headers, Authorization: `Bearer ${this.#token}` },
    })
      .then(async (response) => ({ response, text: await response.text() }))
      .catch(({ message, cause }: Error) => {
        const reason = (cause as NodeJS.ErrnoException | undefined)?.message || message;
        throw new SiteError(`${this.#site} can't be reached: ${oneLine(reason)}.`, undefined, { cause });
      });
    const json = parseJson(text);
    const { data } = schema.safeParse(json);
    if (response.ok && data !== undefined) return data;
    const { data: rejection } = releasesErrorSchema.safeParse(json);
    if (response.ok || !rejection) throw new SiteError(`${this.#site} ${describe(response, text)}.`, response);
    throw new SiteError(
      [`${this.#site} rejects it (${response.status}):`, ...rejection.errors].join(
        rejection.errors.length > 1 ? '\n  ' : ' ',
      ),
      response,
    );
  }
}

/** In memory, since the server requires the length. */
async function formOf({ folder, release, text }: ReleaseBuild) {
  const form = new FormData();
  form.append('manifest', new Blob([text], { type: 'application/json' }), 'release.json');
  // Identical files are sent once.
  const names = new Map(Object.entries(release.files).map(([name, { integrity }]) => [integrity, name]));
  for (const name of names.values()) form.append('file', new Blob([await readFile(path.join(folder, name))]), name);
  const encoded = new Response(form);
  return { type: encoded.headers.get('content-type') ?? '', body: await encoded.arrayBuffer() };
}
