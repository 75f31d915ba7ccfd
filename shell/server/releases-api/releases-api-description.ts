import { deploymentActions, logWordsSchema } from '@daybook/releases/server';
import { operatorNamePattern } from '@daybook/server';
import * as z from 'zod';
import { releasesApiUrl } from '../operator/releases-urls.ts';

/** The body of a deployment. */
export const deploymentSchema = z.strictObject({
  action: z.enum(deploymentActions),
  version: z.string().optional(),
  percent: z.int().optional(),
  audience: z.enum(['canary', 'preview']).optional(),
  why: logWordsSchema('a reason').optional(),
  /** Of an operator whose token has no name. */
  by: logWordsSchema('a name').regex(operatorNamePattern, 'has to be the name of an operator').optional(),
  seen: z.int().min(0).optional(),
});

/** The query of a publication. */
export const publicationSchema = z.strictObject({
  percent: z
    .stringFormat('percent', /^[1-9]\d?$/, 'has to be 1 to 99')
    .transform(Number)
    .optional(),
  preview: z.stringFormat('token hash', /^[\w-]{43}$/, 'has to be the hash of the token of its link').optional(),
  why: logWordsSchema('a reason').optional(),
  /** Version that the sender compared the release with, or `none`. */
  base: z.stringFormat('version', /^(?:none|\d+\.\d+\.\d+-[0-9a-f]{8})$/, 'has to be a version or none').optional(),
});

const json = (schema: object) => ({ content: { 'application/json': { schema } } });

/** What a change did: `lines` are sentences about what visitors get now. */
const doneSchema = json({
  type: 'object',
  required: ['overview', 'lines'],
  properties: {
    outcome: { enum: ['deployed', 'held', 'known'] },
    version: { type: 'string' },
    deployment: { type: 'object' },
    replaced: { type: 'string' },
    overview: { type: 'object' },
    lines: { type: 'array', items: { type: 'string' } },
  },
});
const errorSchema = json({
  type: 'object',
  required: ['statusCode', 'error', 'message'],
  properties: {
    statusCode: { type: 'integer' },
    error: { type: 'string' },
    message: { type: 'string' },
    errors: { type: 'array', items: { type: 'string' }, description: 'everything that is wrong with a release' },
  },
});

const errors = (...statuses: readonly (readonly [status: number, description: string])[]) =>
  Object.fromEntries(
    [[401, 'no valid token'], [403, 'the key of another team'], [503, 'the registry cannot be used'], ...statuses].map(
      ([status, description]) => [status, { description, ...errorSchema }],
    ),
  );
const reading = (summary: string) => ({
  get: { summary, responses: { 200: { description: 'JSON', ...json({}) }, ...errors() } },
});
const parametersOf = (schema: z.ZodObject) =>
  Object.entries(schema.shape).map(([name, each]) => ({
    name,
    in: 'query',
    schema: z.toJSONSchema(each as z.ZodType, { io: 'input' }),
  }));
const ofRemote = { name: 'remote', in: 'path', required: true, schema: { type: 'string' } };

/**
 * Returns the OpenAPI document of the API, made from the schemas by which it parses.
 *
 * @param publicUrl the site's public origin
 */
export const openApiDocument = (publicUrl: string) => ({
  openapi: '3.1.0',
  info: {
    title: 'Releases',
    version: '1',
    description:
      "For operators, with a token; and for teams, with requests that are signed with their remote's key (docs/teams.md).",
  },
  servers: [{ url: `${publicUrl}${releasesApiUrl}` }],
  security: [{ bearer: [] }],
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  paths: {
    '/': reading('What visitors get of all remotes; for operators'),
    '/log': reading('All deployments; for operators'),
    '/sign-ins': reading('Who signed in and out at /_releases; for operators'),
    '/{remote}': { parameters: [ofRemote], ...reading('What visitors get of a remote, and its stored releases') },
    '/{remote}/log': { parameters: [ofRemote], ...reading('The deployments of a remote') },
    '/{remote}/releases': {
      parameters: [ofRemote],
      post: {
        summary: 'Publishes a release: release.json, release.jws and its files, as parts in any order',
        parameters: parametersOf(publicationSchema),
        requestBody: { required: true, content: { 'multipart/form-data': { schema: { type: 'object' } } } },
        responses: {
          ...errors(
            [408, 'slower than 1 Mbit/s'],
            [411, 'no Content-Length'],
            [413, 'too large'],
            [422, 'the release is rejected'],
            [429, 'too many releases or bytes in an hour or a day, or too many at once'],
            [507, 'the disk of the server is full, cannot be written, or has damaged a file'],
          ),
          200: { description: 'published before; nothing has changed', ...doneSchema },
          201: { description: 'stored and deployed', ...doneSchema },
          409: { description: 'stored only, since the remote is held', ...doneSchema },
        },
      },
    },
    '/{remote}/deployments': {
      parameters: [ofRemote],
      post: {
        summary: 'Makes a deployment',
        requestBody: { required: true, ...json(z.toJSONSchema(deploymentSchema, { io: 'input' })) },
        responses: {
          ...errors(
            [400, 'malformed'],
            [409, 'another deployment came first'],
            [422, 'not possible now'],
            [429, 'too many in an hour'],
          ),
          201: { description: 'done', ...doneSchema },
        },
      },
    },
  },
});
