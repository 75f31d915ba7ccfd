import * as z from 'zod';
import { releaseVersionSchema, remoteNameSchema } from './release.ts';

/** The API of a site's releases; all of it needs `Authorization: Bearer <token>`. */
export const releasesApiUrl = '/_releases/api';

export const previewUrl = (remote: string, version: string) => `/_preview/${remote}/${version}`;

export const stateActions = ['publish', 'activate', 'rollback', 'canary', 'end', 'hold', 'lift'] as const;

/** The state of a remote: the last row of its log. `by` is the name of a token. */
export const stateSchema = z.object({
  remote: remoteNameSchema,
  number: z.int().positive(),
  action: z.enum(stateActions),
  active: releaseVersionSchema.nullable(),
  canary: releaseVersionSchema.nullable(),
  percent: z.int().min(1).max(99).nullable(),
  /** Who holds the remote: releases are stored and not activated. */
  heldBy: z.string().nullable(),
  /** Whether the hold is by a token for all remotes, which a team can't lift. */
  heldByOperator: z.boolean(),
  by: z.string(),
  why: z.string(),
  at: z.string(),
});
export type State = z.infer<typeof stateSchema>;

export const storedReleaseSchema = z.object({
  version: releaseVersionSchema,
  status: z.enum(['active', 'canary', 'previous', 'rolled back', 'stored']),
  commit: z.string().optional(),
  author: z.string().optional(),
  storedAt: z.string(),
  files: z.int(),
  /** In bytes. */
  size: z.int(),
  paths: z.array(z.string()),
  /** Page views and reported failures on the server that responds, since it started. */
  views: z.int(),
  failures: z.int(),
});
export type StoredRelease = z.infer<typeof storedReleaseSchema>;

/** `GET /<remote>`: its state and its stored releases, the last stored first. */
export const remoteSchema = z.object({
  remote: remoteNameSchema,
  state: stateSchema.nullable(),
  previous: releaseVersionSchema.nullable(),
  releases: z.array(storedReleaseSchema),
  countedSince: z.string(),
  api: z.int(),
});
export type Remote = z.infer<typeof remoteSchema>;

/** `GET /`: all remotes. */
export const remotesSchema = z.object({ remotes: z.array(remoteSchema) });

/** `GET /log` and `GET /<remote>/log`: the last 1,000 rows, the newest first. */
export const logSchema = z.object({ rows: z.array(stateSchema) });

const whySchema = z
  .string()
  .trim()
  .max(200, 'must have 200 characters or fewer')
  .regex(/^[^\p{C}]*$/u, 'must be one line')
  .optional();

/** `POST /<remote>/releases`: the query; the body is multipart: `manifest` (release.json) first, then the files. */
export const publicationSchema = z.strictObject({
  percent: z.coerce.number().int().min(1).max(99).optional(),
  /** `true` to store it only. */
  keep: z.literal('true').optional(),
  /** The active version that it was compared with, or `none`; another active one is 409. */
  base: z.union([z.literal('none'), releaseVersionSchema]).optional(),
  why: whySchema,
});
export type Publication = z.infer<typeof publicationSchema>;

export const publicationOutcomes = ['active', 'canary', 'kept', 'held', 'unchanged'] as const;

/** The answer to a publication; 201 if something changed, 200 if not. */
export const publishedSchema = z.object({
  version: releaseVersionSchema,
  /** `held`: stored only, since the remote is held; `unchanged`: it was published before. */
  outcome: z.enum(publicationOutcomes),
  state: stateSchema.nullable(),
  previous: releaseVersionSchema.nullable(),
  lines: z.array(z.string()),
  preview: z.string(),
});
export type Published = z.infer<typeof publishedSchema>;

/** `<remote>@<version>`. */
export const releaseNameSchema = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{0,62}@\d+\.\d+\.\d+-[0-9a-f]{12}$/,
    'must be <remote>@<version>, such as mf-legal@1.0.0-3f9ac2d10b7e',
  );

const ofRemote = {
  remote: remoteNameSchema,
  why: whySchema,
  /** Number of the state that the change is based on; another one is 409. */
  seen: z.int().min(0).optional(),
};

/** `POST /changes`: a change of what visitors get. */
export const changeSchema = z.discriminatedUnion('action', [
  /** Gives stored releases to all visitors, those of several remotes at the same moment. */
  z.strictObject({
    action: z.literal('activate'),
    releases: z.array(releaseNameSchema).min(1).max(50),
    why: whySchema,
  }),
  /** `version`: a release that visitors had before; by default the previous one. */
  z.strictObject({ action: z.literal('rollback'), version: releaseVersionSchema.optional(), ...ofRemote }),
  z.strictObject({
    action: z.literal('canary'),
    version: releaseVersionSchema,
    percent: z.int().min(1).max(99),
    ...ofRemote,
  }),
  z.strictObject({ action: z.literal('end'), ...ofRemote }),
  z.strictObject({ action: z.literal('hold'), ...ofRemote }),
  z.strictObject({ action: z.literal('lift'), ...ofRemote }),
]);
export type Change = z.infer<typeof changeSchema>;

/** The answer to a change, 201. */
export const changedSchema = z.object({
  states: z.array(stateSchema),
  lines: z.array(z.string()),
});
export type Changed = z.infer<typeof changedSchema>;

/** Every error of the API: all that is wrong, in sentences. */
export const releasesErrorSchema = z.object({
  statusCode: z.int(),
  message: z.string(),
  errors: z.array(z.string()),
});
