import { commaSeparated, databaseUrl, passwordIn, serverSchema, type VariableMeta, wholeNumber } from '@daybook/server';
import * as z from 'zod';

const limit = wholeNumber(1, 100_000_000);

const secretMinLength = 32;

const isReceiverUrl = (text: string) => {
  const url = URL.parse(text);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '';
};

/** Checks the key length that the standard-webhooks specification allows, too. */
const isWebhookSecret = (text: string) => {
  const [, key = ''] = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(text) ?? [];
  const { length } = Buffer.from(key, 'base64');
  return length >= 24 && length <= 64;
};

export const databaseEnvironmentSchema = z.object({
  DATABASE_URL: databaseUrl().meta({
    description: '`postgres://…` URL of the database',
    secretsIn: passwordIn,
  } satisfies VariableMeta),
});
export type DatabaseEnvironment = z.infer<typeof databaseEnvironmentSchema>;

export const operatorEnvironmentSchema = databaseEnvironmentSchema.extend({
  AUDIT_KEY: z
    .string()
    .min(secretMinLength, `needs at least ${secretMinLength} characters`)
    .optional()
    .meta({
      description: `key of the hashes by which \`operator subscribers show --audit\` finds entries; ${secretMinLength} characters or more; not rotated; required in production. Without it, \`operator\` runs no command about one person`,
      secretsIn: (key: string) => [key],
    } satisfies VariableMeta),
});

export const environmentSchema = serverSchema({
  ...databaseEnvironmentSchema.shape,
  PORT: wholeNumber(0, 65_535).default(3000).meta({ description: 'port of the backend' }),
  HOST: z.string().default('127.0.0.1').meta({
    description: 'address to listen on; the backend trusts its proxies, so it must not be reachable around them',
  }),
  TRUSTED_PROXIES: wholeNumber(0, 10).default(1).meta({
    description: 'number of proxies in front, edge or shell server included',
  }),
  COOKIE_SECRET: z
    .string()
    .transform(commaSeparated)
    .pipe(z.array(z.string().min(secretMinLength, `needs at least ${secretMinLength} characters in each secret`)))
    .meta({
      description: `signs the signup cookie; ${secretMinLength} characters or more; a comma-separated list rotates: the first signs, all verify`,
      secretsIn: commaSeparated,
    } satisfies VariableMeta),
  AUDIT_KEY: operatorEnvironmentSchema.shape.AUDIT_KEY,
  DATABASE_POOL_SIZE: wholeNumber(1, 1000).default(10).meta({
    description: 'max connections to the database',
  }),
  WEBHOOK_URL: z
    .string()
    .refine(isReceiverUrl, 'must be a URL such as https://mail.example.com/events, without a password')
    .optional()
    .meta({ description: 'where the mail system receives events: [webhooks](webhooks.md); without it they wait' }),
  WEBHOOK_SECRET: z
    .string()
    .transform(commaSeparated)
    .pipe(z.array(z.string().refine(isWebhookSecret, 'must be whsec_ and 24 to 64 bytes in base64, each of them')))
    .optional()
    .meta({
      description:
        'signs events; needed with `WEBHOOK_URL`; `whsec_` and base64; a comma-separated list rotates: all sign',
      secretsIn: commaSeparated,
    } satisfies VariableMeta),
  CLIENT_DETAILS_KEPT: wholeNumber(1, 90).default(90).meta({
    description: 'retention of user agent, language and truncated network, in days; the Privacy Policy promises 90',
  }),
  UNFINISHED_ENTRIES_KEPT: wholeNumber(1, 12).default(12).meta({
    description: 'retention of registrations never completed, in months; the Privacy Policy promises 12',
  }),
  PRIVACY_REQUESTS_KEPT: wholeNumber(24, 240).default(24).meta({
    description:
      'retention of privacy requests, in months from the response or, if none is recorded, the due date; California requires 24',
  }),
  LIMIT_NETWORK_WRITES: limit.default(480).meta({
    description:
      'writes a minute from one network: an IPv4 address or IPv6 /64; an IPv6 /48 has four times each limit of a network. Each backend counts alone. 60 people who sign up need 360',
  }),
  LIMIT_NETWORK_SIGNUPS: limit.default(180).meta({
    description:
      'signups and emergency notices a minute from one network; four times as many must be fewer than `LIMIT_GLOBAL_SIGNUPS`',
  }),
  LIMIT_NETWORK_LOOKUPS: limit.default(300).meta({
    description: 'lookups by e-mail address a minute from one network',
  }),
  LIMIT_NETWORK_PRIVACY_REQUESTS: limit.default(10).meta({
    description: 'privacy requests a minute from one network',
  }),
  LIMIT_ADDRESS_SIGNUPS: limit.default(120).meta({
    description: 'signups and emergency notices a minute with one e-mail address',
  }),
  LIMIT_ADDRESS_PRIVACY_REQUESTS: limit.default(5).meta({
    description:
      'privacy requests of one kind that are stored in 24 hours for one e-mail address, by all backends; repeats of an open one do not count',
  }),
  LIMIT_GLOBAL_SIGNUPS: limit.default(6_000).meta({
    description: 'valid signups a minute in all, and as many emergency notices and privacy requests',
  }),
})
  .refine(({ WEBHOOK_URL, WEBHOOK_SECRET }) => WEBHOOK_URL === undefined || WEBHOOK_SECRET !== undefined, {
    path: ['WEBHOOK_SECRET'],
    error: 'is required if WEBHOOK_URL is set',
  })
  // Only the operator's command uses it. Checked at start, not when the first person asks to be erased.
  .refine(({ NODE_ENV, AUDIT_KEY }) => NODE_ENV !== 'production' || AUDIT_KEY !== undefined, {
    path: ['AUDIT_KEY'],
    error: 'is required in production',
  });
export type Environment = z.infer<typeof environmentSchema>;

export const environmentToken = Symbol('environment');
