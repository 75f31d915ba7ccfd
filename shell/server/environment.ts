import { defaultSiteSettings, remoteNameSchema, type SiteSettings, siteSettingsSchema } from '@daybook/contract';
import {
  allOperatorTokens,
  type LogLevel,
  logLevels,
  type OperatorToken,
  operatorTokenMinLength,
  parseOperatorTokens,
  readSecretFiles,
  tokensByVariable,
  weakSecrets,
} from '@daybook/server';
import * as z from 'zod/mini';

/** Where a remote's releases come from: `file:<folder>`, or the address of the remote's own server. */
export interface RemoteOrigin {
  readonly name: string;
  readonly origin: string;
}

const portSchema = z.pipe(
  z.coerce.number('must be a port number'),
  z
    .int('must be a port number')
    .check(z.minimum(0, 'must be a port number'), z.maximum(65535, 'must be a port number')),
);

const originPattern = /^([^=]+)=((?:file:|https?:\/\/[^/]).+)$/;

/**
 * A name and password in an address would end up in logs, and no request could be made with them. The addresses of
 * files are made by adding to it, which a query or a fragment at its end would swallow.
 */
function isOrigin(origin: string): boolean {
  if (origin.startsWith('file:')) return true;
  const url = URL.parse(origin);
  return url !== null && url.username === '' && url.password === '' && !hasQueryOrFragment(origin);
}

const hasQueryOrFragment = (origin: string) => !origin.startsWith('file:') && /[?#]/.test(origin);

function messageFor(item: string, origin = ''): string {
  if (hasQueryOrFragment(origin))
    return `has an address with a ? or # in it; write that of the folder of release.json alone, such as http://mf-legal:8080`;
  if (item.includes('@')) return 'has a name or password in it; origins are asked without';
  return `has “${item}” in it; write <name>=file:<folder> or <name>=http://<host>`;
}

const remotesSchema = z.pipe(
  z.string('is required: a comma-separated list such as mf-legal=file:mf-legal/dist,mf-privacy=http://mf-privacy:8080'),
  z.transform((text, context): RemoteOrigin[] =>
    text.split(',').map((item) => {
      const [, name, origin] = originPattern.exec(item.trim()) ?? [];
      if (name && origin && isOrigin(origin) && remoteNameSchema.safeParse(name).success) return { name, origin };
      context.issues.push({ code: 'custom', input: item, message: messageFor(item.trim(), origin) });
      return z.NEVER;
    }),
  ),
);

const isUnique = (origins: readonly RemoteOrigin[]) => new Set(origins.map(({ name }) => name)).size === origins.length;

const secondsSchema = z.pipe(
  z.coerce.number('must be a number of seconds'),
  z.number().check(z.minimum(0.05, 'must be 0.05 seconds or more'), z.maximum(3600, 'must be an hour or less')),
);

const addressesIn = (list: string) => list.split(',').map((address) => address.trim());
const isHttpAddress = (text: string) => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '');
const backendsSchema = z.pipe(
  z
    .string('must be the address of the backend, such as http://127.0.0.1:3000')
    .check(
      z.refine(
        (list) => addressesIn(list).every(isHttpAddress),
        'must be the address of the backend, such as http://127.0.0.1:3000',
      ),
    ),
  z.transform(addressesIn),
);

const operatorTokensSchema = z.pipe(
  z.string(),
  z.transform((text, context) => {
    try {
      return parseOperatorTokens(text);
    } catch (error) {
      context.issues.push({ code: 'custom', input: undefined, message: (error as Error).message });
      return z.NEVER;
    }
  }),
);

const environmentSchema = z.object({
  PORT: z._default(portSchema, 8080),
  HOST: z._default(z.string(), 'localhost'),
  PUBLIC_URL: z.optional(
    z.pipe(
      z.url({ protocol: /^https?$/, error: 'must be the address of the site, such as https://daybook.example' }),
      z.transform((text) => new URL(text).origin),
    ),
  ),
  BACKEND_URL: backendsSchema,
  REMOTES: remotesSchema.check(z.refine(isUnique, 'names a remote twice')),
  TRUSTED_PROXIES: z._default(
    z.pipe(
      z.coerce.number('must be a whole number of hops'),
      z.int('must be a whole number of hops').check(z.minimum(0, 'must be a whole number of hops')),
    ),
    0,
  ),
  RELEASES_FOLDER: z._default(z.string(), '.data/releases'),
  RELEASES_INTERVAL: z._default(secondsSchema, 3),
  RELEASES_KEPT: z._default(
    z.pipe(
      z.coerce.number('must be a whole number'),
      z
        .int('must be a whole number')
        .check(z.minimum(2, 'must be 2 or more: without the last release there is no way back')),
    ),
    5,
  ),
  OPERATOR_TOKEN: z.optional(
    z.string().check(z.minLength(operatorTokenMinLength, `must have ${operatorTokenMinLength} characters or more`)),
  ),
  OPERATOR_TOKENS: z._default(operatorTokensSchema, []),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.optional(
    z.url({ protocol: /^https?$/, error: 'must be the address of a collector, such as http://127.0.0.1:4318' }),
  ),
  LOG_LEVEL: z._default(z.enum(logLevels, `must be one of ${logLevels.join(', ')}`), 'info'),
  DRAIN_SECONDS: z._default(
    z.pipe(
      z.coerce.number('must be a number of seconds'),
      z.number().check(z.minimum(0, 'must be 0 seconds or more'), z.maximum(600, 'must be ten minutes or less')),
    ),
    3,
  ),
  DEVELOPMENT: z._default(z.stringbool('must be true or false'), false),
  SUPPORT_ADDRESS: z.optional(z.string()),
  SPONSOR_GROCERY_URL: z.optional(z.string()),
  SPONSOR_VIVINT_URL: z.optional(z.string()),
  SPONSOR_AUDIEN_URL: z.optional(z.string()),
  SPONSOR_TMOBILE_URL: z.optional(z.string()),
  HOUSING_GUIDE_URL: z.optional(z.string()),
  PRIVACY_REQUESTS: z.optional(z.string()),
});

/**
 * Reads the origins of remotes as `REMOTES` has them.
 *
 * @throws EnvironmentError saying what is wrong
 */
export function parseRemotes(text: string): readonly RemoteOrigin[] {
  const parsed = remotesSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new EnvironmentError(`REMOTES ${parsed.error.issues.map(({ message }) => message).join('; ')}`);
}

/** Where each site setting comes from, so that a bad one is named by its variable. */
const settingVariables: Readonly<Record<string, string>> = {
  supportAddress: 'SUPPORT_ADDRESS',
  'sponsorAddresses.grocery': 'SPONSOR_GROCERY_URL',
  'sponsorAddresses.vivint': 'SPONSOR_VIVINT_URL',
  'sponsorAddresses.audien': 'SPONSOR_AUDIEN_URL',
  'sponsorAddresses.tmobile': 'SPONSOR_TMOBILE_URL',
  housingGuideAddress: 'HOUSING_GUIDE_URL',
  privacyRequests: 'PRIVACY_REQUESTS',
};

/** The settings of one shell server. */
export interface Environment {
  readonly port: number;
  readonly host: string;
  /** The site's origin as visitors know it, without a slash at the end. */
  readonly publicUrl: string;
  /** Where the API is answered; each address is a backend of its own on the same database. */
  readonly backends: readonly string[];
  readonly remotes: readonly RemoteOrigin[];
  /** How many proxies in front may be believed in what they say of the client's address. */
  readonly trustedProxies: number;
  /** Where the mirrored releases and their log are. */
  readonly releasesFolder: string;
  /** The origins are asked for new releases this often, in seconds. */
  readonly releasesInterval: number;
  /** How many releases of each remote are kept. */
  readonly releasesKept: number;
  /** Each opens the operator's pages; without any there are none. In production there has to be one. */
  readonly operatorTokens: readonly OperatorToken[];
  /**
   * A secret over all operator tokens, the same on every replica, to derive keys from; empty without tokens. A change
   * of any token or name changes it, and so ends what was signed before.
   */
  readonly operatorSecret: string;
  /** Address of the collector that traces are sent to, over OTLP/HTTP; without it there are none. */
  readonly tracesEndpoint: string | undefined;
  /** Lines of the log below this level are left out. */
  readonly logLevel: LogLevel;
  /** How long the server goes on serving, in seconds, once it has told that it is about to stop. */
  readonly drainSeconds: number;
  /** Pages reload themselves after a build, and nothing is cached. */
  readonly development: boolean;
  readonly settings: SiteSettings;
}

/** One or more variables are missing or bad; the message has a line for each. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

const describe = (issues: readonly Issue[], nameOf: (path: string) => string) =>
  issues.map(({ path, message }) => `  ${nameOf(path.join('.'))}: ${message}`);

/**
 * Parses the environment, all of it at once. An empty variable counts as not set, as in a compose file.
 *
 * @throws EnvironmentError naming every bad variable
 */
export function parseEnvironment(variables: Readonly<Record<string, string | undefined>>): Environment {
  const secrets = readSecretFiles(variables, ['OPERATOR_TOKEN', 'OPERATOR_TOKENS']);
  const given = Object.fromEntries(Object.entries(secrets.variables).filter(([, value]) => value !== ''));
  const parsed = environmentSchema.safeParse(given);
  const { sponsorAddresses } = defaultSiteSettings;
  const settings = siteSettingsSchema.safeParse({
    supportAddress: given.SUPPORT_ADDRESS ?? defaultSiteSettings.supportAddress,
    sponsorAddresses: {
      grocery: given.SPONSOR_GROCERY_URL ?? sponsorAddresses.grocery,
      vivint: given.SPONSOR_VIVINT_URL ?? sponsorAddresses.vivint,
      audien: given.SPONSOR_AUDIEN_URL ?? sponsorAddresses.audien,
      tmobile: given.SPONSOR_TMOBILE_URL ?? sponsorAddresses.tmobile,
    },
    housingGuideAddress: given.HOUSING_GUIDE_URL ?? defaultSiteSettings.housingGuideAddress,
    privacyRequests: given.PRIVACY_REQUESTS ?? defaultSiteSettings.privacyRequests,
  });
  const named = operatorTokensSchema.safeParse(given.OPERATOR_TOKENS ?? '').data ?? [];
  const operatorTokens = allOperatorTokens(given.OPERATOR_TOKEN, named);
  const secretProblems = [...secrets.problems, ...weakSecrets(variables, tokensByVariable(operatorTokens))];
  if (!parsed.success || !settings.success || secretProblems.length > 0) {
    const lines = [
      ...secretProblems.map(({ name, message }) => `  ${name}: ${message}`),
      ...describe(parsed.error?.issues ?? [], (name) => name),
      ...describe(settings.error?.issues ?? [], (path) => settingVariables[path] ?? path),
    ];
    throw new EnvironmentError(`The shell server can't start with these settings:\n${lines.join('\n')}`);
  }
  const { PORT, HOST, PUBLIC_URL, BACKEND_URL, REMOTES, TRUSTED_PROXIES, DEVELOPMENT } = parsed.data;
  const { RELEASES_FOLDER, RELEASES_INTERVAL, RELEASES_KEPT, LOG_LEVEL, DRAIN_SECONDS } = parsed.data;
  return {
    port: PORT,
    host: HOST,
    publicUrl: PUBLIC_URL ?? `http://localhost:${PORT}`,
    backends: BACKEND_URL,
    remotes: REMOTES,
    trustedProxies: TRUSTED_PROXIES,
    releasesFolder: RELEASES_FOLDER,
    releasesInterval: RELEASES_INTERVAL,
    releasesKept: RELEASES_KEPT,
    operatorTokens,
    operatorSecret: operatorTokens
      .map(({ name = '', token }) => `${name}:${token}`)
      .sort()
      .join('\n'),
    tracesEndpoint: parsed.data.OTEL_EXPORTER_OTLP_ENDPOINT,
    logLevel: LOG_LEVEL,
    drainSeconds: DRAIN_SECONDS,
    development: DEVELOPMENT,
    settings: settings.data,
  };
}
