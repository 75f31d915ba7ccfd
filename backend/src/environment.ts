import * as z from 'zod/mini';

const wholeNumber = (lowest: number, highest: number) => {
  const message = `must be a whole number from ${lowest} to ${highest}`;
  return z.pipe(
    z.pipe(z.string().check(z.regex(/^\d{1,9}$/, message)), z.transform(Number)),
    z.int().check(z.minimum(lowest, message), z.maximum(highest, message)),
  );
};

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

/** Key lengths, in bytes, that the standard-webhooks specification allows. */
const isWebhookSecret = (text: string) => {
  const [, key] = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(text) ?? [];
  const length = Buffer.from(key ?? '', 'base64').length;
  return length >= 24 && length <= 64;
};
const webhookSecretsSchema = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => text.split(',').map((secret) => secret.trim())),
  ),
  z.array(z.string().check(z.refine(isWebhookSecret, 'must be whsec_ and 24 to 64 bytes in base64, each of them'))),
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
  /** Most connections to the database at a time. */
  DATABASE_POOL_SIZE: z._default(wholeNumber(1, 1000), 10),
  /** Where events are delivered; without it they wait in the database. */
  WEBHOOK_URL: z.optional(receiverAddressSchema),
  /** Secrets that sign what is delivered, comma separated: every one of them signs, so that they can be rotated. */
  WEBHOOK_SECRET: z.optional(webhookSecretsSchema),
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

const listInWords = new Intl.ListFormat('en');

/**
 * Reads the environment, once, at start.
 *
 * @throws InvalidEnvironmentError naming each bad variable; values are left out, for some are secret.
 */
export function readEnvironment<Schema extends z.ZodMiniObject>(
  schema: Schema,
  variables: NodeJS.ProcessEnv,
): z.infer<Schema> {
  const result = z.safeParse(schema, variables);
  if (result.success) return result.data;
  const problems = new Set(result.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`));
  throw new InvalidEnvironmentError(`The environment cannot be used: ${listInWords.format(problems)}.`);
}
