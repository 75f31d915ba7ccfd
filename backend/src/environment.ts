import { logLevels, operatorTokenMinLength } from '@daybook/contract/server';
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

/** What migrating needs: the database alone. */
export const databaseEnvironmentSchema = z.object({
  /** Address of the database, with name and password. */
  DATABASE_URL: postgresAddressSchema,
});
export type DatabaseEnvironment = z.infer<typeof databaseEnvironmentSchema>;

/** What the server needs. The names are those of the environment variables. */
export const environmentSchema = z.extend(databaseEnvironmentSchema, {
  PORT: z._default(wholeNumber(0, 65_535), 3000),
  /** Address to listen on. The server trusts what its proxies say, so it must not be reachable around them. */
  HOST: z._default(z.string().check(z.minLength(1, 'must not be empty')), '127.0.0.1'),
  /** Secrets of the signed cookie, comma separated: the first one signs, all of them verify. */
  COOKIE_SECRET: secretsSchema,
  /** How many proxies stand between the visitor and this server. */
  TRUSTED_PROXIES: z._default(wholeNumber(0, 10), 1),
  /** Most connections to the database at a time. */
  DATABASE_POOL_SIZE: z._default(wholeNumber(1, 1000), 10),
  /** Opens `/metrics`; without it there are none. */
  OPERATOR_TOKEN: z.optional(
    z.string().check(z.minLength(operatorTokenMinLength, `must have ${operatorTokenMinLength} characters or more`)),
  ),
  /** Address of the collector that traces are sent to, over OTLP/HTTP; without it there are none. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.optional(
    z.url({ protocol: /^https?$/, error: 'must be the address of a collector, such as http://127.0.0.1:4318' }),
  ),
  /** Lines of the log below this level are left out. */
  LOG_LEVEL: z._default(z.enum(logLevels, `must be one of ${logLevels.join(', ')}`), 'info'),
  /** How long the server goes on serving, in seconds, once it has told that it is about to stop. */
  DRAIN_SECONDS: z._default(wholeNumber(0, 600), 3),
});
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
