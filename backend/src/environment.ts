import {
  allOperatorTokens,
  logLevels,
  operatorTokenMinLength,
  parseOperatorTokens,
  readSecretFiles,
  tokensByVariable,
  weakSecrets,
} from '@daybook/server';
import * as z from 'zod/mini';

const wholeNumber = (lowest: number, highest: number) => {
  const message = `must be a whole number from ${lowest} to ${highest}`;
  return z.pipe(
    z.pipe(z.string().check(z.regex(/^\d{1,9}$/, message)), z.transform(Number)),
    z.int().check(z.minimum(lowest, message), z.maximum(highest, message)),
  );
};

const perMinute = wholeNumber(1, 100_000_000);

const required = (issue: { readonly input?: unknown }) => (issue.input === undefined ? 'is required' : undefined);

const isPostgresAddress = (text: string) => ['postgres:', 'postgresql:'].includes(URL.parse(text)?.protocol ?? '');
const postgresAddressSchema = z
  .string({ error: required })
  .check(z.refine(isPostgresAddress, 'must be an address such as postgres://user:password@host:5432/database'));

/** Shortest secret, in characters: 32 random hex digits are 128 bits. */
const secretMinLength = 32;
const secretsSchema = z.pipe(
  z.pipe(
    z.string({ error: required }),
    z.transform((text) => text.split(',').map((secret) => secret.trim())),
  ),
  z.array(
    z.string().check(z.minLength(secretMinLength, `needs at least ${secretMinLength} characters in each secret`)),
  ),
);

const isReceiverAddress = (text: string) => {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '';
};
const receiverAddressSchema = z
  .string()
  .check(z.refine(isReceiverAddress, 'must be an address such as https://mail.example.com/events, without a password'));

/** The key in a secret of webhooks; empty where it is none. */
const webhookKey = (secret: string): Buffer => {
  const [, key = ''] = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(secret) ?? [];
  return Buffer.from(key, 'base64');
};
/** Key lengths, in bytes, that the standard-webhooks specification allows. */
const isWebhookSecret = (text: string) => {
  const { length } = webhookKey(text);
  return length >= 24 && length <= 64;
};
const webhookSecretsSchema = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => text.split(',').map((secret) => secret.trim())),
  ),
  z.array(z.string().check(z.refine(isWebhookSecret, 'must be whsec_ and 24 to 64 bytes in base64, each of them'))),
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

/** What migrating needs: the database alone. */
export const databaseEnvironmentSchema = z.object({
  /** Address of the database, with name and password. */
  DATABASE_URL: postgresAddressSchema,
});
export type DatabaseEnvironment = z.infer<typeof databaseEnvironmentSchema>;

const serverVariablesSchema = z.extend(databaseEnvironmentSchema, {
  PORT: z._default(wholeNumber(0, 65_535), 3000),
  /** Address to listen on. The server trusts what its proxies say, so it must not be reachable around them. */
  HOST: z._default(z.string().check(z.minLength(1, 'must not be empty')), '127.0.0.1'),
  /** Secrets of the signed cookie, comma separated: the first one signs, all of them verify. */
  COOKIE_SECRET: secretsSchema,
  /** How many proxies stand between the visitor and this server. */
  TRUSTED_PROXIES: z._default(wholeNumber(0, 10), 1),
  /** Origin of the site as visitors know it: its pages may write, besides those of the host that a request names. */
  PUBLIC_URL: z.optional(
    z.pipe(
      z.url({ protocol: /^https?$/, error: 'must be the address of the site, such as https://daybook.example' }),
      z.transform((text) => new URL(text).origin),
    ),
  ),
  /** Most connections to the database at a time. */
  DATABASE_POOL_SIZE: z._default(wholeNumber(1, 1000), 10),
  /** Where events are delivered; without it they wait in the database. */
  WEBHOOK_URL: z.optional(receiverAddressSchema),
  /** Secrets that sign what is delivered, comma separated: every one of them signs, so that they can be rotated. */
  WEBHOOK_SECRET: z.optional(webhookSecretsSchema),
  /** Whether the privacy pages' requests are taken and stored; the shell server has to be told the same. */
  PRIVACY_REQUESTS: z._default(z.enum(['simulate', 'record'], 'must be simulate or record'), 'simulate'),
  /** How long user agent, language and network of an entry are kept, in days; the Privacy Policy promises 90. */
  CLIENT_DETAILS_KEPT: z._default(wholeNumber(1, 90), 90),
  /** How long an entry that nobody completed is kept, in months; the Privacy Policy promises 12. */
  UNFINISHED_ENTRIES_KEPT: z._default(wholeNumber(1, 12), 12),
  /** How long privacy requests are kept once they are answered, in months; California's regulations ask for 24. */
  PRIVACY_REQUESTS_KEPT: z._default(wholeNumber(24, 240), 24),
  /** Writes of all kinds a minute from one client network: 60 people who sign up need 360. */
  LIMIT_NETWORK_WRITES: z._default(perMinute, 480),
  /** Signups, emergency notices and privacy requests a minute from one client network. */
  LIMIT_NETWORK_SIGNUPS: z._default(perMinute, 180),
  /** Lookups by address a minute from one client network. */
  LIMIT_NETWORK_LOOKUPS: z._default(perMinute, 300),
  /** Signups, emergency notices and privacy requests a minute with one e-mail address. */
  LIMIT_ADDRESS_SIGNUPS: z._default(perMinute, 120),
  /** Signups a minute in all; and as many emergency notices, and privacy requests. */
  LIMIT_GLOBAL_SIGNUPS: z._default(perMinute, 6_000),
  /** Opens `/metrics`; without it there are none. */
  OPERATOR_TOKEN: z.optional(
    z.string().check(z.minLength(operatorTokenMinLength, `must have ${operatorTokenMinLength} characters or more`)),
  ),
  /** As `OPERATOR_TOKEN`, for each operator: comma-separated `name:token` pairs. */
  OPERATOR_TOKENS: z._default(operatorTokensSchema, []),
  /** Address of the collector that traces are sent to, over OTLP/HTTP; without it there are none. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.optional(
    z.url({ protocol: /^https?$/, error: 'must be the address of a collector, such as http://127.0.0.1:4318' }),
  ),
  /** Lines of the log below this level are left out. */
  LOG_LEVEL: z._default(z.enum(logLevels, `must be one of ${logLevels.join(', ')}`), 'info'),
  /** How long the server goes on serving, in seconds, once it has told that it is about to stop. */
  DRAIN_SECONDS: z._default(wholeNumber(0, 600), 3),
});

/** What the server needs. The names are those of the environment variables. */
export const environmentSchema = serverVariablesSchema.check(
  z.refine(({ WEBHOOK_URL, WEBHOOK_SECRET }) => WEBHOOK_URL === undefined || WEBHOOK_SECRET !== undefined, {
    path: ['WEBHOOK_SECRET'],
    error: 'is required where WEBHOOK_URL is set',
  }),
);
export type Environment = z.infer<typeof environmentSchema>;

/** Names every variable that is missing or malformed, in one message. */
export class InvalidEnvironmentError extends Error {
  override readonly name = 'InvalidEnvironmentError';
}

/** Variables that may come from a file: `COOKIE_SECRET_FILE` names one, as secrets of containers are given. */
const secretVariables = ['DATABASE_URL', 'COOKIE_SECRET', 'OPERATOR_TOKEN', 'OPERATOR_TOKENS', 'WEBHOOK_SECRET'];

const listInWords = new Intl.ListFormat('en');

/**
 * Reads the environment, once, at start; secrets from files too. In production, weak ones are refused.
 *
 * @throws InvalidEnvironmentError naming each bad variable; values are left out, for some are secret.
 */
export function readEnvironment<Schema extends z.ZodMiniObject>(
  schema: Schema,
  given: NodeJS.ProcessEnv,
): z.infer<Schema> {
  const names = secretVariables.filter((name) => name in schema.shape);
  const { variables, problems } = readSecretFiles(given, names);
  const result = z.safeParse(schema, variables);
  const issues = result.error?.issues.map(({ path, message }) => ({ name: String(path[0]), message })) ?? [];
  const weak = result.success ? weakSecretsOf(given, result.data) : [];
  // One that could not be read from its file is missing as well; that goes without saying.
  const unread = new Set(problems.map(({ name }) => name.replace(/_FILE$/, '')));
  const all = [...problems, ...issues.filter(({ name }) => !unread.has(name)), ...weak];
  if (result.success && all.length === 0) return result.data;
  const texts = new Set(all.map(({ name, message }) => `${name} ${message}`));
  throw new InvalidEnvironmentError(`The environment cannot be used: ${listInWords.format(texts)}.`);
}

/** Nothing where the address has none: sockets and certificates need no password. */
function passwordIn(databaseUrl = ''): Record<string, readonly string[]> {
  const password = URL.parse(databaseUrl)?.password;
  return password ? { 'The password in DATABASE_URL': [password] } : {};
}

function weakSecretsOf(given: NodeJS.ProcessEnv, environment: Partial<Environment>) {
  const { COOKIE_SECRET, OPERATOR_TOKEN, OPERATOR_TOKENS = [], WEBHOOK_SECRET } = environment;
  // A migrator has none of them.
  if (COOKIE_SECRET === undefined) return [];
  const tokens = tokensByVariable(allOperatorTokens(OPERATOR_TOKEN, OPERATOR_TOKENS));
  const problems = [
    ...weakSecrets(given, passwordIn(environment.DATABASE_URL)),
    ...weakSecrets(given, { COOKIE_SECRET, ...tokens }),
  ];
  if (WEBHOOK_SECRET === undefined) return problems;
  const keys = WEBHOOK_SECRET.map((secret) => webhookKey(secret).toString('latin1'));
  return [...problems, ...weakSecrets(given, { WEBHOOK_SECRET: keys }, 'echo "whsec_$(openssl rand -base64 32)"')];
}
